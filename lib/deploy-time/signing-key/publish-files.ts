/** The custom resource behind files that everybody may fetch: puts those beside the function's code into the image bucket. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Work } from '../custom-resource';

/** Its type for CloudFormation. */
export const publishedFilesType = 'PublishedFiles';

/** Media types by ending. */
const mediaTypes: Readonly<Record<string, string>> = { '.tgz': 'application/gzip', '.webp': 'image/webp' };

/** The bucket that holds the files; both methods throw what S3 answers. */
export interface FileBucket {
  put(bucket: string, path: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  remove(bucket: string, path: string): Promise<void>;
}

/**
 * Each content has a path of its own. A deployment that is rolled back updates the resource to the paths of before while
 * the function's code is still the new one: those files lie in the bucket since then, and not beside the code. Deleting
 * removes the files: a first deployment that fails has to delete its bucket, which must be empty then.
 * @param folder of the function's code, which holds each file at its path
 */
export function publishFiles(files: FileBucket, folder: string): Work {
  return async ({ RequestType, ResourceProperties: { Bucket, Paths } }) => {
    for (const path of Paths as readonly string[]) {
      const file = join(folder, path);
      if (RequestType === 'Delete') await files.remove(Bucket, path);
      else if (RequestType === 'Create' || existsSync(file)) {
        const mediaType = mediaTypes[extname(path)] ?? 'application/octet-stream';
        await files.put(Bucket, path, await readFile(file), mediaType);
      }
    }
    return {};
  };
}
