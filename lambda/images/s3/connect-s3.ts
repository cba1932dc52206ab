/** Opens a bucket as an image library; imported on first need, as it brings the SDK's client. */

import { S3Client } from '@aws-sdk/client-s3';
import { awsConnectionTimeoutMs, imageLibraryAttemptTimeoutMs } from '../../contract/timeouts';
import type { ImageLibrary } from '../image-library';
import { createS3Library } from './s3-library';

export function openBucket(bucket: string): ImageLibrary {
  // `requestTimeout` only warns unless it is configured to throw.
  const requestHandler = {
    connectionTimeout: awsConnectionTimeoutMs,
    requestTimeout: imageLibraryAttemptTimeoutMs,
    throwOnRequestTimeout: true,
  };
  return createS3Library(new S3Client({ maxAttempts: 3, requestHandler }), bucket);
}
