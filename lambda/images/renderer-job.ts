/**
 * The messages between the image function and the renderer: a rendition, or work after the caller has been answered. What
 * is fetched, read, stored or drawn is checked where that is done.
 */

import type { crops, labels, styles } from '../contract/request-bounds';
import type { RenditionFormat } from '../requests/rendition';
import type { ProviderUrl } from './allowed-url';
import type { Placeholder } from './image';
import type { LibraryPath } from './library-path';

/** Where the pixels of a rendition come from. */
export type RenditionSource =
  | {
      readonly kind: 'drawing';
      readonly words: string;
      readonly seed: string;
      readonly style?: (typeof styles)[number];
      readonly variation?: number;
    }
  /** An image at a provider, whose hosts are listed. */
  | { readonly kind: 'remote'; readonly url: ProviderUrl; readonly allowedHosts: readonly string[] }
  | { readonly kind: 'stored'; readonly path: LibraryPath }
  /** A card in the colours of an image: of its placeholder, a data URL, or of one colour alone (`#rrggbb`). */
  | { readonly kind: 'card'; readonly placeholder?: string; readonly color: string };

/** Makes one rendition. */
export interface RenditionJob {
  /** Where it is stored in the image library; an image that is already there is not made again. */
  readonly path: LibraryPath;
  readonly source: RenditionSource;
  readonly widthPx: number;
  readonly heightPx: number;
  /** As the extension of the path says. */
  readonly format: RenditionFormat;
  /** What is kept of an original of another ratio; `attention` by default. */
  readonly crop?: (typeof crops)[number];
  /** A mark that a model made the image. */
  readonly label?: (typeof labels)[number];
  /** Written into the image's metadata. */
  readonly metadata: {
    readonly creditLine: string;
    readonly aiGenerated: boolean;
    readonly generatedBy?: { readonly model: string; readonly createdMs: number };
  };
}

/** The answer to a rendition job. */
export type RenditionOutcome =
  /** `placeholder` is absent where the pixels of the stored image could not be read. */
  | { readonly outcome: 'stored'; readonly placeholder?: Placeholder }
  /** The source is no usable image: broken, too large, gone. Another candidate may do. `because`: its server did not answer, which may pass. */
  | { readonly outcome: 'unusable'; readonly reason: string; readonly because?: 'unanswered' }
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
