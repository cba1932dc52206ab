/** Declares the image store and its files: masters, renditions, photographs and their index, public files. */

import type { StoredPath } from './stored-path';

/** A file of the image store, with the media type that the extension of its path stands for. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Why the file is not kept for a new term, where that failed: it can be given out until it ends. */
  readonly renewalError?: unknown;
}

/**
 * A bucket, or the folder that stands for it. Every method throws `RangeError` for a text that is no
 * `StoredPath`, and an error where S3 does not answer in time.
 */
export interface ImageStore {
  /** Stores a file, never in place of another one; false where there is one. */
  put(path: StoredPath, bytes: Uint8Array, signal?: AbortSignal): Promise<boolean>;
  /** Reads a file; `undefined` for none. S3 keeps a rendition for ten days more, or says why not. */
  get(path: StoredPath, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Removes a file; for a missing one, this is no error. */
  remove(path: StoredPath): Promise<void>;
  /** Lists paths that begin with a prefix, such as a folder, in no order. */
  list(prefix: string): AsyncIterable<StoredPath>;
}
