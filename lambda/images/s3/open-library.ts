/** Opens the image library by the scheme of its URL. */

import { fileURLToPath } from 'node:url';
import type { ImageLibrary } from '../image-library';
import { createFilesystemLibrary } from './filesystem-library';
import { openBucket } from './s3-library';

/**
 * Opens the image library of a URL.
 * @param storeUrl `s3://bucket`, or `file:///folder` in the local service
 * @throws `RangeError` for any other URL
 */
export function createImageLibrary(storeUrl: string): ImageLibrary {
  const { protocol, hostname } = new URL(storeUrl);
  if (protocol === 's3:' && hostname !== '') return openBucket(hostname);
  if (protocol === 'file:') return createFilesystemLibrary(fileURLToPath(storeUrl));
  throw new RangeError('The image library is at s3://bucket or file:///folder.');
}
