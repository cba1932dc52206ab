/** An image library in memory. */

import type { ImageLibrary, StoredImage } from '../../lambda/images/image-library';
import { checkLibraryPath, checkLibraryPrefix, type LibraryPath } from '../../lambda/images/library-path';
import { arrival } from './memory-dynamodb';

/** A library whose content a test can read. */
export interface FakeImageLibrary extends ImageLibrary {
  readonly images: ReadonlyMap<string, StoredImage>;
}

export function createFakeImageLibrary(): FakeImageLibrary {
  const images = new Map<LibraryPath, StoredImage>();
  return {
    images,
    async put(path, image) {
      checkLibraryPath(path, image.mediaType);
      await arrival();
      if (images.has(path)) return false;
      images.set(path, { bytes: Uint8Array.from(image.bytes), mediaType: image.mediaType });
      return true;
    },
    async get(path) {
      checkLibraryPath(path);
      return images.get(path);
    },
    async remove(path) {
      checkLibraryPath(path);
      await arrival();
      images.delete(path);
    },
    async *list(prefix) {
      checkLibraryPrefix(prefix);
      for (const path of [...images.keys()]) if (path.startsWith(prefix)) yield path;
    },
  };
}
