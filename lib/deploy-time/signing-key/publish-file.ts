/** The custom resource behind files that everybody may fetch: puts one that lies beside the function's code into the image bucket. */

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Work } from '../custom-resource';

/** Its type for CloudFormation. */
export const publishedFileType = 'PublishedFile';

/** Stores a file at a path of a bucket; throws what S3 answers. */
export type Put = (bucket: string, path: string, bytes: Uint8Array) => Promise<void>;

/**
 * Each content has a path of its own, so that a deployment that is rolled back finds its file where it was. For the same
 * reason deleting does nothing.
 * @param folder of the function's code
 */
export function publishFile(put: Put, folder: string): Work {
  return async ({ RequestType, ResourceProperties: { Bucket, Path } }) => {
    if (RequestType !== 'Delete') await put(Bucket, Path, await readFile(join(folder, basename(Path))));
    return {};
  };
}
