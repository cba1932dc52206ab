/** Wires the emptying of a bucket to S3. */

import {
  DeleteObjectsCommand,
  GetBucketTaggingCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { customResource } from '../custom-resource';
import { emptyBucket } from './empty-bucket';

const client = new S3Client({ maxAttempts: 3 });

/** Called by CloudFormation; fails with the code of the first object that could not be deleted. */
export const handler = customResource(
  'emptied-bucket',
  emptyBucket({
    async tagsOf(Bucket) {
      try {
        const { TagSet = [] } = await client.send(new GetBucketTaggingCommand({ Bucket }));
        return Object.fromEntries(TagSet.map(({ Key = '', Value = '' }) => [Key, Value]));
      } catch (error) {
        if ((error as Error).name === 'NoSuchTagSet') return {};
        throw error;
      }
    },
    async somePaths(Bucket) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    async remove(Bucket, paths) {
      const Objects = paths.map((Key) => ({ Key }));
      const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
      const { Errors = [] } = await client.send(command);
      if (Errors.length > 0)
        throw new Error(`${Errors.length} objects could not be deleted: ${Errors[0]?.Code}`);
    },
  }),
);
