/** An image library in memory. */

import type { ImageLibrary, StoredImage } from '../../lambda/images/image-library';
import { type LibraryPath, libraryPathOf } from '../../lambda/images/library-path';
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
      libraryPathOf(path);
      await arrival();
      if (images.has(path)) return false;
      images.set(path, { bytes: Uint8Array.from(image.bytes), mediaType: image.mediaType });
      return true;
    },
    async get(path) {
      libraryPathOf(path);
      return images.get(path);
    },
    async remove(path) {
      libraryPathOf(path);
      await arrival();
      images.delete(path);
    },
    async *list(prefix) {
      libraryPathOf(`${prefix}a.png`);
      for (const path of [...images.keys()]) if (path.startsWith(prefix)) yield path;
    },
  };
}
