/** Adds the image bucket, which has masters, renditions and the operator's photographs. */

import { Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../lambda/contract/functions';
import {
  masterPrefix,
  photoIndexPrefix,
  photoPrefix,
  renditionPrefixes,
  renditionTtlDays,
  servedPrefixes,
} from '../../lambda/contract/image-paths';
import { getRemovalPolicy, type Stage } from '../stage';

/** Adds the private bucket. With `keepsData` it outlives the stack. Otherwise the stack empties and deletes it. */
export function addImageBucket(scope: Construct, stage: Stage): s3.Bucket {
  const bucket = new s3.Bucket(scope, 'ImageBucket', {
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    encryption: s3.BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    lifecycleRules: [
      { id: 'HalfUploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ...renditionPrefixes.map((prefix) => ({
        id: `Renditions-${prefix.split('/')[0]}`,
        prefix,
        expiration: Duration.days(renditionTtlDays),
      })),
    ],
    removalPolicy: getRemovalPolicy(stage),
    autoDeleteObjects: !stage.keepsData,
  });
  // CloudFront reads no master and no original photograph, not even for a signed URL.
  bucket.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'RenditionsAloneAreServed',
      effect: iam.Effect.DENY,
      principals: [new iam.ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      notResources: servedPrefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`)),
    }),
  );
  return bucket;
}

/** The prefixes of each function. A generator deletes its master when another one took over the generation. */
const access: Record<FunctionName, Partial<Record<'Read' | 'Put' | 'Delete', readonly string[]>>> = {
  authorizer: {},
  api: { Read: [photoIndexPrefix] },
  renderer: { Read: [masterPrefix, photoPrefix, ...renditionPrefixes], Put: renditionPrefixes },
  generator: { Read: [masterPrefix], Put: [masterPrefix], Delete: [masterPrefix] },
};

/** Lets a function read, write and delete below its prefixes. */
export function grantImages(bucket: s3.Bucket, name: FunctionName, grantee: iam.IGrantable): void {
  for (const right of ['Read', 'Put', 'Delete'] as const)
    for (const prefix of access[name][right] ?? []) bucket[`grant${right}`](grantee, `${prefix}*`);
}
