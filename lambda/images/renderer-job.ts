/**
 * The jobs of the renderer: a rendition, or the report of a use. The code that fetches or stores a file checks
 * its URL or path.
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
  /** What the signed manifest names: the model, and when it was asked. */
  readonly generatedBy?: { readonly model: string; readonly createdMs: number };
}

/** The recipe of a rendition: size, format, metadata, crop and label. */
export interface Recipe extends Size {
  readonly format: RenditionFormat;
  readonly metadata: ImageMetadata;
  /** The part that a crop keeps. The default is `attention`, which is also used for `faces`. */
  readonly crop?: Crop;
  /** The place of the label “AI” on an AI image. */
  readonly label?: Label;
  /** True for a master, which is a JPEG. */
  readonly isMaster?: true;
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

/** The order to make a rendition and to store it, as plain JSON. */
export interface RenditionJob extends Recipe {
  readonly path: StoredPath;
  readonly source: RenditionSource;
}

/** The outcome for a source that is no image, of another type, too large to be safe, damaged, or gone. */
export interface Unusable {
  readonly outcome: 'unusable';
  readonly reason: string;
  /** True if a later attempt may succeed, because the server of the source did not answer. */
  readonly isTemporary?: true;
}

/** Makes the outcome for a source that cannot be used. It `isTemporary` if only the server failed. */
export function refuseRendition(reason: string, isTemporary = false): Unusable {
  return { outcome: 'unusable', reason, ...(isTemporary && { isTemporary }) };
}

/** A stored rendition. `isNew`: this job has stored it, not another job at the same time. */
export interface StoredRendition {
  readonly outcome: 'stored';
  readonly placeholder?: Placeholder;
  readonly isNew?: boolean;
}

/** The outcome of a rendition job. */
export type RenditionOutcome =
  | StoredRendition
  /** Another candidate may work. */
  | Unusable
  /** The stored master is missing. */
  | { readonly outcome: 'gone' };

/** A report to a stock provider that its image is used. It is sent after the caller has its answer. */
export interface UseReport {
  readonly kind: 'report-use';
  readonly provider: string;
  /** The provider's URL for this report, without a key. */
  readonly url: string;
}
