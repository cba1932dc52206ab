/** An image of a page: where it stands, and what is to become of it. */

import type { DescribedUrl } from './judge-url';
import type { Element } from './read-page';

/** Why an image is replaced. */
export type FillReason = 'asked' | 'placeholder' | 'invented' | 'stock' | 'empty' | 'missing';
/** Why an image stays. */
export type KeptReason = 'owner' | 'template' | 'script' | 'code' | 'link' | 'unknown';

/** What is to become of an image. */
export type Verdict = ({ readonly fill: FillReason } & DescribedUrl) | { readonly keep: KeptReason };

/** An image of a page, or a URL that looks like one. */
export interface ImagePlace {
  /** `other`: of a kind that is never filled. */
  readonly kind: 'img' | 'source' | 'poster' | 'svg' | 'css' | 'preview' | 'preload' | 'other';
  readonly element: Element;
  /** The first URL, decoded; empty where there is none. */
  readonly url: string;
  /** Position in the source by which images are ordered. */
  readonly offset: number;
  /** Attribute that holds the URL; absent for a `<style>`. */
  readonly attribute?: string;
  /** Where the URL stands in the source, for CSS only. */
  readonly range?: readonly [start: number, end: number];
  /** Selector of the rule that it stands in, for a `<style>` only. */
  readonly selector?: string;
  /** Whether a script may give it another source, so that none is put before that. */
  readonly isScripted?: boolean;
  readonly verdict: Verdict;
}
