/** Makes a rendition and stores it, so that a URL is given out only for an image that exists. */

import type { Style } from '../contract/request-bounds';
import type { RenditionFormat } from '../domain/image/image';

/** Where the pixels come from. */
export type RenditionSource =
  | {
      readonly kind: 'drawing';
      readonly words: string;
      readonly seed: string;
      readonly style?: Style;
      readonly variation?: number;
    }
  | { readonly kind: 'remote'; readonly url: string; readonly allowedHosts: readonly string[] }
  | { readonly kind: 'stored'; readonly path: string };

/** One rendition to be made. Plain JSON: it crosses from one function to another. */
export interface RenditionJob {
  /** Where it is stored in the image library; an image that is already there is not made again. */
  readonly path: string;
  readonly source: RenditionSource;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly format: RenditionFormat;
  /** Written into the image's metadata. */
  readonly metadata: { readonly creditLine: string; readonly aiGenerated: boolean };
}

export type RenditionOutcome =
  | { readonly outcome: 'stored' }
  /** The source is no usable image: broken, too large, too small, gone. Another candidate may do. */
  | { readonly outcome: 'unusable'; readonly reason: string };

export interface Renderer {
  /**
   * @param deadlineMs moment (epoch) after which the caller does not wait any longer; the work may go on
   * @throws when the renderer itself failed or did not answer by the deadline.
   */
  render(job: RenditionJob, deadlineMs: number): Promise<RenditionOutcome>;
}
