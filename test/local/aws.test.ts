/** S3 as functions in containers call it, before the folder of images. */

import { S3Client } from '@aws-sdk/client-s3';
import { createS3Library } from '../../lambda/images/s3/s3-library';
import { createLocalAws } from '../../local/aws';
import { describeImageLibrary } from '../contracts/image-library';
import { createFakeImageLibrary } from '../fakes/image-library';
import { listenOnLoopback } from '../fakes/loopback';

describeImageLibrary("S3's calls of a local service", async () => {
  const { answer } = createLocalAws({ library: createFakeImageLibrary(), onFailure: () => undefined });
  const server = await listenOnLoopback((request, response) => void answer(request, response));
  const client = new S3Client({
    endpoint: server.address,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return {
    library: createS3Library(client, 'local_images'),
    stop: async () => {
      client.destroy();
      await server.stop();
    },
  };
});
