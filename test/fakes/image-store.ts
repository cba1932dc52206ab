/** Use this image store where a test reads which files there are. */

import type { ImageStore, StoredFile } from '../../lambda/images/image-store';
import { findMediaType, type StoredPath } from '../../lambda/images/stored-path';
import { awaitArrival } from './memory-database';

/** An image store whose content a test can read. */
export interface FakeImageStore extends ImageStore {
  readonly images: ReadonlyMap<string, StoredFile>;
}

export function createFakeImageStore(): FakeImageStore {
  const images = new Map<StoredPath, StoredFile>();
  return {
    images,
    async put(path, bytes) {
      await awaitArrival();
      if (images.has(path)) return false;
      images.set(path, { bytes: Uint8Array.from(bytes), mediaType: findMediaType(path) as string });
      return true;
    },
    async get(path) {
      return images.get(path);
    },
    async remove(path) {
      await awaitArrival();
      images.delete(path);
    },
    async *list(prefix) {
      for (const path of [...images.keys()]) if (path.startsWith(prefix)) yield path;
    },
  };
}
