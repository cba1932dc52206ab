/** Empties a bucket when its stack goes, because a bucket that holds something cannot be deleted. */

import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { customResource } from '../custom-resource';

const client = new S3Client({ maxAttempts: 3 });

export const handler = customResource('emptied-bucket', async ({ RequestType, ResourceProperties }) => {
  const Bucket: string = ResourceProperties['Bucket'];
  // Each round sees what the one before has left.
  while (RequestType === 'Delete') {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    if (Contents.length === 0) break;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0)
      throw new Error(`${Errors.length} objects could not be deleted: ${Errors[0]?.Code}`);
  }
  return {};
});
