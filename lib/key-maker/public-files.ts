/** The custom resource behind files that everybody may fetch: puts those beside the function's code into the image bucket. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Work } from './answer-cloudformation';

/** Media types by ending. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.webp': 'image/webp',
};

/** The bucket that holds the files; each method throws what S3 answers. */
export interface FileBucket {
  put(bucket: string, path: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** Up to a thousand of its paths; none when it is empty. */
  somePaths(bucket: string): Promise<readonly string[]>;
  remove(bucket: string, paths: readonly string[]): Promise<void>;
}

/**
 * Each content has a path of its own. A deployment that is rolled back updates the resource to the paths of before while
 * the function's code is still the new one: those files lie in the bucket since then, and not beside the code. Deleting
 * removes the files, and all others too where the stack does not keep its data: a bucket that holds something cannot be
 * deleted, also after a first deployment that fails.
 * @param folder of the function's code, which holds each file at its path
 */
export function publishFiles(files: FileBucket, folder: string): Work {
  return async ({ RequestType, ResourceProperties: { Bucket, Paths, EmptiesBucket } }) => {
    const paths = Paths as readonly string[];
    if (RequestType === 'Delete') {
      await files.remove(Bucket, paths);
      // Each round sees what the one before has left.
      for (let left = paths; EmptiesBucket === 'true' && left.length > 0; ) {
        left = await files.somePaths(Bucket);
        if (left.length > 0) await files.remove(Bucket, left);
      }
      return {};
    }
    for (const path of paths) {
      const file = join(folder, path);
      // What is missing on a new resource is a fault, and is thrown.
      if (RequestType === 'Update' && !existsSync(file)) continue;
      await files.put(Bucket, path, await readFile(file), mediaTypes[extname(path)] ?? 'text/plain');
    }
    return {};
  };
}
