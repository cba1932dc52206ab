/** What an image is turned into, and what comes of it. */

import type { Crop, Label } from '../contract/request-bounds';
import type { RenditionFormat, Size } from '../requests/rendition';

/** How an image was generated. */
export interface GeneratedBy {
  /** Name of the model. */
  readonly model: string;
  /** When, in milliseconds since the epoch. */
  readonly createdMs: number;
}

/** What is written into an image so that it goes with it wherever it is copied. */
export interface ImageMetadata {
  readonly creditLine: string;
  /** Marks the image, for machines too, as made by a trained model. */
  readonly aiGenerated: boolean;
  /** How a model made it, for its signed manifest. */
  readonly generatedBy?: GeneratedBy;
}

/** What an image is to become. */
export interface Recipe extends Size {
  readonly format: RenditionFormat;
  readonly metadata: ImageMetadata;
  /** What is kept of an image of another ratio; `attention` by default, which also stands in for `faces`. */
  readonly crop?: Crop;
  /** A mark, drawn over the image, that a model made it. */
  readonly label?: Label;
  /** `master` keeps more detail, because other images are made from it; `rendition` by default. */
  readonly purpose?: 'rendition' | 'master';
}

/** What rendering ends in. */
export type EncodedImage =
  | { readonly outcome: 'encoded'; readonly bytes: Uint8Array; readonly mediaType: string }
  /** No image, a kind that is not taken, too large to be safe, or too small for the size. */
  | { readonly outcome: 'unusable'; readonly reason: string; readonly because?: 'unanswered' };

/** What an image is, without unpacking it. */
export type Measured =
  | ({ readonly outcome: 'measured'; readonly mediaType: string } & Size)
  | { readonly outcome: 'unusable'; readonly reason: string };
