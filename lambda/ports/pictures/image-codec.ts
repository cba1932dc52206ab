/** Turns a picture into one of an exact size and format. */

import type { RenditionFormat, Size } from '../../domain/picture/image';

/** What is written into a picture so that it goes with it wherever it is copied. */
export interface PictureMetadata {
  readonly creditLine: string;
  /** Marks the picture, for machines too, as made by a trained model. */
  readonly aiGenerated: boolean;
}

/** What a picture is to become. */
export interface Recipe extends Size {
  readonly format: RenditionFormat;
  readonly metadata: PictureMetadata;
  /** `master` keeps more detail, because other pictures are made from it; `rendition` by default. */
  readonly purpose?: 'rendition' | 'master';
}

export type EncodedPicture =
  | { readonly outcome: 'encoded'; readonly bytes: Uint8Array; readonly mediaType: string }
  /** No picture, a kind that is not taken, too large to be safe, or too small for the size. */
  | { readonly outcome: 'unusable'; readonly reason: string };

/** What a picture is, without unpacking it. */
type Measured =
  | ({ readonly outcome: 'measured'; readonly mediaType: string } & Size)
  | { readonly outcome: 'unusable'; readonly reason: string };

export interface ImageCodec {
  /** Kind and size of a picture, measured upright. */
  measure(picture: Uint8Array): Promise<Measured>;
  /**
   * Covers exactly width × height with a picture: turned upright, cropped to what draws the eye, transparent parts on
   * white, freed of all metadata but the given.
   * @param enlargementMax how many times larger it may be drawn before it counts as too small; any by default
   */
  render(original: Uint8Array, recipe: Recipe, enlargementMax?: number): Promise<EncodedPicture>;
  /** Paints an SVG document of the service's own making. Never hand it one from elsewhere. @throws when it is none. */
  paint(svg: string, recipe: Recipe): Promise<Extract<EncodedPicture, { outcome: 'encoded' }>>;
}
