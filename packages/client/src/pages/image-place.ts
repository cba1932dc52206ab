/** An image of a page: where it stands, and what is to become of it. */

import type { DescribedUrl } from './judge-url';
import type { Element } from './read-page';

/** Why an image is replaced. */
export type FillReason = 'asked' | 'placeholder' | 'invented' | 'stock' | 'empty' | 'missing';
/** What is to become of an image, and why. */
export type Verdict =
  | ({ readonly fill: FillReason } & DescribedUrl)
  | { readonly keep: 'owner' | 'template' | 'script' | 'code' | 'link' | 'unknown' };

/** An image of a page, or a URL that looks like one. */
export interface ImagePlace {
  /** `other`: of a kind that is never filled. */
  readonly kind: 'img' | 'source' | 'poster' | 'svg' | 'css' | 'preview' | 'preload' | 'other';
  readonly element: Element;
  /** Attribute that holds the URL. */
  readonly attribute: string;
  /** All URLs that stand there, decoded. */
  readonly urls: readonly string[];
  /** Position in the source: of the element, for CSS of the URL. */
  readonly offset: number;
  /** How many characters a URL in CSS has as it is written. */
  readonly length?: number;
  /** Selector of the rule that it stands in, for a `<style>` only. */
  readonly selector?: string;
  /** Whether a script may give it another source, so that none is put before that. */
  readonly isScripted?: boolean;
  readonly verdict: Verdict;
}
