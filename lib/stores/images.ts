/** The bucket of the service's own images: masters, renditions and the operator's photographs. */

import { Duration } from 'aws-cdk-lib';
import { Effect, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../lambda/contract/functions';
import {
  masterPrefix,
  photoIndexPrefix,
  photoPrefix,
  renditionDays,
  renditionPrefixes,
  servedPrefixes,
} from '../../lambda/contract/image-paths';
import { retentionOf, type Stage } from '../stage';

/** Makes the private bucket, which outlives the stack where the stage keeps its data, and else is emptied with it. */
export function addImageBucket(scope: Construct, stage: Stage): Bucket {
  const bucket = new Bucket(scope, 'ImageBucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    lifecycleRules: [
      { id: 'HalfUploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ...renditionPrefixes.map((prefix) => ({
        id: `Renditions-${prefix.split('/')[0]}`,
        prefix,
        expiration: Duration.days(renditionDays),
      })),
    ],
    removalPolicy: retentionOf(stage),
    autoDeleteObjects: !stage.keepsData,
  });
  // CloudFront reads what is open and renditions alone, whatever URL is signed: no master and no original.
  bucket.addToResourcePolicy(
    new PolicyStatement({
      sid: 'RenditionsAloneAreServed',
      effect: Effect.DENY,
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      notResources: servedPrefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`)),
    }),
  );
  return bucket;
}

/** Prefixes of what each function reads and writes. A generation that has lost its turn deletes what it has stored. */
const access: Readonly<Record<FunctionName, Partial<Record<'Read' | 'Put' | 'Delete', readonly string[]>>>> =
  {
    authorizer: {},
    api: { Read: [photoIndexPrefix, masterPrefix] },
    renderer: { Read: [masterPrefix, photoPrefix, ...renditionPrefixes], Put: renditionPrefixes },
    generator: { Read: [masterPrefix], Put: [masterPrefix], Delete: [masterPrefix] },
  };

/** Lets a function read and write what its work is about. */
export function grantImages(bucket: Bucket, name: FunctionName, grantee: IGrantable): void {
  for (const right of ['Read', 'Put', 'Delete'] as const)
    for (const prefix of access[name][right] ?? []) bucket[`grant${right}`](grantee, `${prefix}*`);
}
