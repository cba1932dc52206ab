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
  if (protocol === 's3:' && hostname !== '') return openedLazily(() => openBucket(hostname));
  if (protocol === 'file:') return openedLazily(() => openFolder(storeUrl));
  throw new RangeError('The image library is at s3://bucket or file:///folder.');
}

async function openBucket(bucket: string): Promise<ImageLibrary> {
  const s3 = await import('./connect-s3');
  return s3.openBucket(bucket);
}

async function openFolder(folderUrl: string): Promise<ImageLibrary> {
  const { createFilesystemLibrary } = await import('./filesystem-library');
  return createFilesystemLibrary(fileURLToPath(folderUrl));
}

/** The library that is opened with the first call. */
function openedLazily(open: () => Promise<ImageLibrary>): ImageLibrary {
  const library = lazily(open);
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
