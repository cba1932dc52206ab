/** The image store. It holds masters, renditions, photographs with their index, and public files. */

import type { StoredPath } from './stored-path';

/** A file of the image store. Its media type follows from the extension of its path. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The error of a renewal that failed. The file can be given out until its old term ends. */
  readonly renewalError?: unknown;
}

/** A bucket, or a folder in its place. Every method throws if S3 does not answer in time. */
export interface ImageStore {
  /** Stores a new file. Returns false, and changes nothing, if the path has a file already. */
  put(path: StoredPath, bytes: Uint8Array, signal?: AbortSignal): Promise<boolean>;
  /** Reads a file, or returns `undefined`. In S3 a rendition near its end is renewed by this. */
  get(path: StoredPath, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Removes a file. A missing file is no error. */
  remove(path: StoredPath): Promise<void>;
  /** Lists the paths that begin with a prefix, such as a folder, in any order. */
  list(prefix: string): AsyncIterable<StoredPath>;
}
