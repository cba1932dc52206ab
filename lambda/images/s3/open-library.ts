/** Picks the image library by the scheme of its URL; each implementation is loaded when it is first used. */

import { fileURLToPath } from 'node:url';
import { lazily } from '../../base/lazily';
import type { ImageLibrary } from '../image-library';

/**
 * @param storeUrl `s3://bucket`, or `file:///folder` in the local service
 * @throws `RangeError` for any other URL, at once.
 */
export function createImageLibrary(storeUrl: string): ImageLibrary {
  const { protocol, hostname } = new URL(storeUrl);
  const isBucket = protocol === 's3:' && hostname !== '';
  if (!isBucket && protocol !== 'file:')
    throw new RangeError('The image library is at s3://bucket or file:///folder.');
  const library = lazily(async () =>
    isBucket
      ? (await import('./s3-library')).openBucket(hostname)
      : (await import('./filesystem-library')).createFilesystemLibrary(fileURLToPath(storeUrl)),
  );
  return {
    put: async (path, image) => (await library()).put(path, image),
    get: async (path) => (await library()).get(path),
    has: async (path) => (await library()).has(path),
    remove: async (path) => (await library()).remove(path),
    async *list(prefix) {
      yield* (await library()).list(prefix);
    },
  };
}
