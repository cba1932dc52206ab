/** The store of the service's own images: masters and renditions, each written once under its path. */

import type { LibraryPath } from './library-path';

/** A file of the library. */
export interface StoredImage {
  readonly bytes: Uint8Array;
  /** `image/jpeg`, `image/webp`, `image/avif` or `image/png`. */
  readonly mediaType: string;
}

/**
 * A path is made of `/`-separated segments of letters, digits, `.`, `_` and `-`, and ends in the extension of
 * its media type (`.jpg` or `.jpeg`, `.webp`, `.avif`, `.png`). Below `private/` an image is delivered by
 * signed URLs only. Every method throws `RangeError` for any other path, and where the store does not answer
 * in time.
 */
export interface ImageLibrary {
  /** Stores an image, but never in place of another one. True when this call stored it. */
  put(path: LibraryPath, image: StoredImage, signal?: AbortSignal): Promise<boolean>;
  /** The image, or `undefined` for none. A rendition stays for at least ten days after it was read. */
  get(path: LibraryPath, signal?: AbortSignal): Promise<StoredImage | undefined>;
  /** Removes an image; removing what is not there is no error. */
  remove(path: LibraryPath): Promise<void>;
  /** Paths that begin with a prefix, such as a folder, in no order. */
  list(prefix: string): AsyncIterable<LibraryPath>;
}
