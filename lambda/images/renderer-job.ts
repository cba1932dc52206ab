/**
 * What the renderer makes, as the image function asks for it: a rendition, or work after the caller has been answered. What
 * is fetched, read, stored or drawn is checked where that is done.
 */

import type { Crop, Label, Style } from '../contract/request-bounds';
import type { RenditionFormat, Size } from '../requests/rendition';
import type { ProviderUrl } from './allowed-url';
import type { Placeholder } from './image';
import type { LibraryPath } from './library-path';

/** What is written into an image so that it goes with it wherever it is copied. */
export interface ImageMetadata {
  readonly creditLine: string;
  /** Marks the image, for machines too, as made by a trained model. */
  readonly aiGenerated: boolean;
  /** How a model made it, for its signed manifest: the name of the model, and when (epoch, milliseconds). */
  readonly generatedBy?: { readonly model: string; readonly createdMs: number };
}

/** What an image is to become. */
export interface Recipe extends Size {
  readonly format: RenditionFormat;
  readonly metadata: ImageMetadata;
  /** What is kept of an original of another ratio; `attention` by default, which also stands in for `faces`. */
  readonly crop?: Crop;
  /** A mark, drawn over the image, that a model made it. */
  readonly label?: Label;
  /** `master` keeps more detail, because other images are made from it; `rendition` by default. */
  readonly purpose?: 'rendition' | 'master';
}

/** Where the pixels of a rendition come from. */
export type RenditionSource =
  | {
      readonly kind: 'drawing';
      readonly words: string;
      readonly seed: string;
      readonly style?: Style;
      readonly variation?: number;
    }
  /** An image at a provider, whose hosts are listed. */
  | { readonly kind: 'remote'; readonly url: ProviderUrl; readonly allowedHosts: readonly string[] }
  | { readonly kind: 'stored'; readonly path: LibraryPath }
  /** A card of one colour (`#rrggbb`). */
  | { readonly kind: 'card'; readonly color: string };

/** Makes one rendition. */
export interface RenditionJob extends Recipe {
  /** Where it is stored in the image library, with the extension of its format; an image that is already there is not made again. */
  readonly path: LibraryPath;
  readonly source: RenditionSource;
}

/** What cannot be made an image of: no image, a kind that is not taken, too large to be safe, damaged, or gone. */
export interface Unusable {
  readonly outcome: 'unusable';
  readonly reason: string;
  /** Its server did not answer, which may pass. */
  readonly because?: 'unanswered';
}

/** The answer to a rendition job. */
export type RenditionOutcome =
  /** `placeholder` is absent where the pixels of the stored image could not be read. `isNew`: this job has made it, and no other. */
  | { readonly outcome: 'stored'; readonly placeholder?: Placeholder; readonly isNew?: boolean }
  /** Another candidate may do. */
  | Unusable
  /** The stored image that it is made from is not there any more. */
  | { readonly outcome: 'gone' };

/** Reports to a stock provider that one of its images is used, after the caller has been answered. */
export interface UseReport {
  readonly kind: 'report-use';
  /** Name of the provider's adapter. */
  readonly provider: string;
  /** The provider's own URL for this report, without a key. */
  readonly url: string;
}
