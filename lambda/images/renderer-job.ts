/**
 * Declares the jobs of the renderer: a rendition, or the report of a use. Whoever fetches, reads or stores
 * checks the URLs and paths of a job.
 */

import type { Crop, Label, Style } from '../contract/request-bounds';
import type { RenditionFormat, Size } from '../requests/rendition';
import type { ProviderUrl } from './allowed-url';
import type { Placeholder } from './image';
import type { StoredPath } from './stored-path';

/** The metadata in an image's file: XMP, and the signed manifest. */
export interface ImageMetadata {
  readonly creditLine: string;
  readonly aiGenerated: boolean;
  /** What the signed manifest names: the model, and when it was asked (epoch, milliseconds). */
  readonly generatedBy?: { readonly model: string; readonly createdMs: number };
}

/** How a rendition is made: its size, format, metadata, crop and label. */
export interface Recipe extends Size {
  readonly format: RenditionFormat;
  readonly metadata: ImageMetadata;
  /** The part that a crop keeps; `attention` by default, which also stands in for `faces`. */
  readonly crop?: Crop;
  /** The place of “AI” on the image of a model. */
  readonly label?: Label;
  /** `master` keeps more detail, because other images are made from it; `rendition` by default. */
  readonly purpose?: 'rendition' | 'master';
}

/** The source of the pixels of a rendition. */
export type RenditionSource =
  | {
      readonly kind: 'drawing';
      readonly words: string;
      readonly seed: string;
      readonly style?: Style;
      readonly variation?: number;
    }
  | { readonly kind: 'remote'; readonly url: ProviderUrl; readonly allowedHosts: readonly string[] }
  | { readonly kind: 'stored'; readonly path: StoredPath }
  /** A card of one colour (`#rrggbb`). */
  | { readonly kind: 'card'; readonly color: string };

/** A rendition to be made and stored. Plain JSON. */
export interface RenditionJob extends Recipe {
  readonly path: StoredPath;
  readonly source: RenditionSource;
}

/** A source that cannot be used: no image, of another type, too large to be safe, damaged, or gone. */
export interface Unusable {
  readonly outcome: 'unusable';
  readonly reason: string;
  /** Whether it may pass, as the server of the source did not answer. */
  readonly isTemporary?: true;
}

/** Refuses a source, for a time only where its server failed. */
export function unusable(reason: string, isTemporary = false): Unusable {
  return { outcome: 'unusable', reason, ...(isTemporary && { isTemporary }) };
}

/** A stored rendition. `isNew`: this job has stored it, and no other that made it at the same time. */
export interface StoredRendition {
  readonly outcome: 'stored';
  readonly placeholder?: Placeholder;
  readonly isNew?: boolean;
}

/** The outcome of a rendition job. */
export type RenditionOutcome =
  | StoredRendition
  /** Another candidate may do. */
  | Unusable
  /** The stored image from which the rendition would be made is missing. */
  | { readonly outcome: 'gone' };

/** The use of an image, to be reported to its stock provider after the caller has been answered. */
export interface UseReport {
  readonly kind: 'report-use';
  readonly provider: string;
  /** The provider's own URL for this report, without a key. */
  readonly url: string;
}
