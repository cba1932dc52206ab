/** What a signed manifest says of an image that a model made (C2PA, https://c2pa.org). */

import type { Size } from '../requests/rendition';
import type { GeneratedBy } from './image-codec';

/** Both sides of an image that carries a manifest are at least this long, in pixels: a smaller one weighs little more. */
export const signedSidePxMin = 200;

/** What became of a master. */
export interface SignedEdit {
  readonly generatedBy: GeneratedBy;
  /** Of the image as the model gave it. */
  readonly masterSize: Size;
  readonly size: Size;
}
