/** Where the service's own images are kept: masters and renditions, each written once under its path. */

import type { LibraryPath } from './library-path';

/** A file of the library. */
export interface StoredImage {
  readonly bytes: Uint8Array;
  /** `image/jpeg`, `image/webp`, `image/avif` or `image/png`. */
  readonly mediaType: string;
}

/**
 * A path is made of `/`-separated segments of letters, digits, `.`, `_` and `-`, and ends in the extension of its media
 * type (`.jpg` or `.jpeg`, `.webp`, `.avif`, `.png`). Below `private/` an image is delivered by signed URLs only.
 * Every method refuses another path with a `RangeError`, and throws when the store does not answer in the time of the call, or
 * before a signal that is given is aborted.
 */
export interface ImageLibrary {
  /** Stores an image unless one is already there, which is then left as it is. True when this call stored it. */
  put(path: LibraryPath, image: StoredImage, signal?: AbortSignal): Promise<boolean>;
  /** The image, or `undefined` when there is none. A rendition that is read will be there for ten days at least. */
  get(path: LibraryPath, signal?: AbortSignal): Promise<StoredImage | undefined>;
  /** Removes an image; removing what is not there is no error. */
  remove(path: LibraryPath): Promise<void>;
  /** Paths that begin with a prefix, in no order; the folder of an image id is such a prefix. */
  list(prefix: string): AsyncIterable<LibraryPath>;
}
