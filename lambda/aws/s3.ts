/** S3, as the image library calls it. */

import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { clientDefaults } from './agent';

/** @param config region, endpoint and credentials where the environment does not say them, as in a test */
export function connectS3(config: S3ClientConfig = {}): S3Client {
  return new S3Client({ ...clientDefaults(), ...config });
}
