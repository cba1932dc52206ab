/** The custom resource behind files that everybody may fetch: puts those beside the function's code into the image bucket. */

import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Work } from '../custom-resource';

/** Its type for CloudFormation. */
export const publishedFilesType = 'PublishedFiles';

/** Media types by ending. */
const mediaTypes: Readonly<Record<string, string>> = { '.tgz': 'application/gzip', '.webp': 'image/webp' };

/** Stores a file at a path of a bucket; throws what S3 answers. */
export type Put = (bucket: string, path: string, bytes: Uint8Array, mediaType: string) => Promise<void>;

/**
 * Each content has a path of its own, so that a deployment that is rolled back finds its files where they were. For the same
 * reason deleting does nothing.
 * @param folder of the function's code, which holds each file at its path
 */
export function publishFiles(put: Put, folder: string): Work {
  return async ({ RequestType, ResourceProperties: { Bucket, Paths } }) => {
    if (RequestType === 'Delete') return {};
    for (const path of Paths as readonly string[]) {
      const mediaType = mediaTypes[extname(path)] ?? 'application/octet-stream';
      await put(Bucket, path, await readFile(join(folder, path)), mediaType);
    }
    return {};
  };
}
