/** Checks paths of the image store. They are safe as S3 keys, as file names, and in URLs without encoding. */

import { openImagePrefixes } from '../contract/image-paths';
import { formatsByExtension } from '../requests/rendition';

/** Path of a file in the image store, from `requireStoredPath` and `isStoredPath` only. */
export type StoredPath = string & { readonly brand: 'StoredPath' };

/** Longest path, in characters. S3 allows 1,024 bytes. */
const pathCharactersMax = 512;

// A segment begins with a letter or digit, so that none is `.`, `..` or hidden.
const pathPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** PNG: masters. JSON: the index of the operator's photographs. gzip: the client package. */
const mediaTypes = new Map<string, string>([
  ...Object.entries(formatsByExtension).map(([extension, format]) => [extension, `image/${format}`] as const),
  ['png', 'image/png'],
  ['json', 'application/json'],
  ['tgz', 'application/gzip'],
]);

/** Returns true for a path of safe segments with an extension of `mediaTypes`. */
export function isStoredPath(path: unknown): path is StoredPath {
  if (typeof path !== 'string') return false;
  return path.length <= pathCharactersMax && pathPattern.test(path) && findMediaType(path) !== undefined;
}

/** Returns true if an image is delivered by signed URLs only, because it is not below an open prefix. */
export function isPrivatePath(path: string): boolean {
  return !openImagePrefixes.some((prefix) => path.startsWith(prefix));
}

/** Reads the media type from the extension of a path. It is `undefined` for an unknown extension. */
export function findMediaType(path: string): string | undefined {
  const extension = /\.([a-z]+)$/.exec(path)?.[1];
  return extension === undefined ? undefined : mediaTypes.get(extension);
}

/** Finds the extension of a media type. It is `undefined` if the image store has no such files. */
export function findExtension(mediaType: string): string | undefined {
  return [...mediaTypes].find(([, type]) => type === mediaType)?.[0];
}

/** Checks a path that the service has made. @throws `RangeError` for a text that is no path */
export function requireStoredPath(path: string): StoredPath {
  if (isStoredPath(path)) return path;
  throw new RangeError(`Not a path of the image store: ${JSON.stringify(path)}`);
}
