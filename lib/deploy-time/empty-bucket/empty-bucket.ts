/** The custom resource that empties a bucket when its stack goes, because a bucket that holds something cannot be deleted. */

import type { Work } from '../custom-resource';

/** The tag by which a bucket says that it is deleted with its stack. */
export const emptiedTag = { key: 'image-redirect:goes-with-its-stack', value: 'yes' } as const;

/** What is asked of S3; each call throws what S3 answers. */
export interface Buckets {
  tagsOf(bucket: string): Promise<Readonly<Record<string, string>>>;
  /** Up to a thousand of its paths; none when it is empty. */
  somePaths(bucket: string): Promise<readonly string[]>;
  remove(bucket: string, paths: readonly string[]): Promise<void>;
}

/**
 * The resource is deleted with its stack, and also when a stage begins to keep its data. Then the bucket has lost its
 * tag by that time, and nothing in it is touched.
 */
export function emptyBucket(buckets: Buckets): Work {
  return async ({ RequestType, ResourceProperties }) => {
    const bucket: string = ResourceProperties['Bucket'];
    if (RequestType !== 'Delete') return {};
    if ((await buckets.tagsOf(bucket))[emptiedTag.key] !== emptiedTag.value) return {};
    // Each round sees what the one before has left.
    for (;;) {
      const paths = await buckets.somePaths(bucket);
      if (paths.length === 0) return {};
      await buckets.remove(bucket, paths);
    }
  };
}
