/** Checks paths of the image store: safe as S3 keys, as file names, and in URLs without encoding. */

import { openImagePrefixes } from '../contract/image-paths';
import { formatsByExtension, type RenditionFormat } from '../requests/rendition';

/** Path of a file in the image store, made by `toStoredPath` and `isStoredPath` only. */
export type StoredPath = string & { readonly brand: 'StoredPath' };

/** Longest path, in characters; S3 allows 1,024 bytes. */
const pathCharactersMax = 512;

// A segment begins with a letter or digit: none is `.`, `..` or hidden.
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** PNG: masters; JSON: the index of the operator's photographs; gzip: the client package. */
const mediaTypes = new Map<string, string>([
  ...Object.entries(formatsByExtension).map(([extension, format]) => [extension, `image/${format}`] as const),
  ['png', 'image/png'],
  ['json', 'application/json'],
  ['tgz', 'application/gzip'],
]);

/** Whether a text is a path: safe segments, and an extension with a media type. */
export function isStoredPath(path: unknown): path is StoredPath {
  if (typeof path !== 'string') return false;
  return path.length <= pathCharactersMax && pattern.test(path) && mediaTypeOfPath(path) !== undefined;
}

/** Whether an image is delivered by signed URLs only: every one that is not below an open prefix. */
export function isPrivatePath(path: string): boolean {
  return !openImagePrefixes.some((prefix) => path.startsWith(prefix));
}

/** Reads the media type from a path's extension; `undefined` for another. */
export function mediaTypeOfPath(path: string): string | undefined {
  const extension = /\.([a-z]+)$/.exec(path)?.[1];
  return extension === undefined ? undefined : mediaTypes.get(extension);
}

/** Finds the extension of a media type; `undefined` for one that the image store does not hold. */
export function extensionOf(mediaType: `image/${RenditionFormat}`): string;
export function extensionOf(mediaType: string): string | undefined;
export function extensionOf(mediaType: string): string | undefined {
  for (const [extension, type] of mediaTypes) if (type === mediaType) return extension;
  return undefined;
}

/** Checks a path that the service has made; a text that is no path is a `RangeError`. */
export function toStoredPath(path: string): StoredPath {
  if (isStoredPath(path)) return path;
  throw new RangeError(`Not a path of the image store: ${JSON.stringify(path)}`);
}
