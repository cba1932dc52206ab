/** The form of a path in the image library: safe as an S3 key, as a file name and in a URL without encoding. */

import type { Branded } from '../base/branded';
import { openImagePrefixes } from '../contract/image-paths';
import { formatsByExtension, type RenditionFormat } from '../requests/rendition';

/** Path of an image in the library, made by `libraryPathOf` and `isLibraryPath` only. */
export type LibraryPath = Branded<string, 'LibraryPath'>;

/** Longest path, in characters; S3 allows 1,024 bytes. */
const pathCharactersMax = 512;

// A segment begins with a letter or digit, so none is `.` or `..` and none is hidden.
const form = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Beside renditions the library holds masters, which may be PNGs, the index of the operator's photographs, and the client package. */
const mediaTypes = new Map<string, string>([
  ...Object.entries(formatsByExtension).map(([extension, format]) => [extension, `image/${format}`] as const),
  ['png', 'image/png'],
  ['json', 'application/json'],
  ['tgz', 'application/gzip'],
]);

/** Whether a text can name an image in the library: safe segments, and an extension that the library knows. */
export function isLibraryPath(path: unknown): path is LibraryPath {
  if (typeof path !== 'string') return false;
  return path.length <= pathCharactersMax && form.test(path) && mediaTypeOfPath(path) !== undefined;
}

/** Whether an image may be had by its holder's signed URL only: any that is not expressly open. */
export function isPrivatePath(path: string): boolean {
  return !openImagePrefixes.some((prefix) => path.startsWith(prefix));
}

/** The media type that a path's extension stands for, or `undefined`. */
export function mediaTypeOfPath(path: string): string | undefined {
  const extension = /\.([a-z]+)$/.exec(path)?.[1];
  return extension === undefined ? undefined : mediaTypes.get(extension);
}

/** The extension of a file that holds an image of a media type, or `undefined` for one that the library does not hold. */
export function extensionOf(mediaType: `image/${RenditionFormat}`): string;
export function extensionOf(mediaType: string): string | undefined;
export function extensionOf(mediaType: string): string | undefined {
  for (const [extension, its] of mediaTypes) if (its === mediaType) return extension;
  return undefined;
}

/** @throws `RangeError` when the text cannot name an image: the caller has a bug, as paths are made by the service alone. */
export function libraryPathOf(path: string): LibraryPath {
  if (isLibraryPath(path)) return path;
  throw new RangeError(`Not a path of the image library: ${JSON.stringify(path)}`);
}
