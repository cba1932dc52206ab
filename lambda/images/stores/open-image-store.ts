/** Opens the image store of a URL: a bucket in a deployment, a folder in the local service. */

import { fileURLToPath } from 'node:url';
import type { ImageStore } from '../image-store';
import { createFolderStore } from './folder-store';
import { openS3Store } from './s3-store';

/** Opens `s3://bucket` or `file:///folder`. @throws `RangeError` for another URL */
export function openImageStore(storeUrl: string): ImageStore {
  const { protocol, hostname } = new URL(storeUrl);
  if (protocol === 's3:' && hostname !== '') return openS3Store(hostname);
  if (protocol === 'file:') return createFolderStore(fileURLToPath(storeUrl));
  throw new RangeError('The image store is at s3://bucket or file:///folder.');
}
