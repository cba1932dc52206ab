/** Empties a bucket before a stack that does not keep its data deletes it. */

import { CustomResource, Duration, Tags } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { emptiedTag } from '../deploy-time/empty-bucket/emptied-tag';
import { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../logical-ids';
import { acknowledge } from '../nag';
import type { Stage } from '../stage';

export function emptyWithStack(scope: Construct, stage: Stage, bucket: IBucket): void {
  // Without the tag the bucket is left alone, whatever CloudFormation deletes.
  Tags.of(bucket).add(emptiedTag.key, emptiedTag.value);
  const emptier = new NodeFunction(scope, 'BucketEmptier', {
    stage,
    entry: 'lib/deploy-time/empty-bucket/main.ts',
    description: 'Empties the bucket when the stack is deleted',
    memoryMb: 256,
    timeoutS: deployTimeoutsS.emptyBucket.function,
  });
  Grant.addToPrincipal({
    grantee: emptier,
    actions: ['s3:DeleteObject'],
    resourceArns: [bucket.arnForObjects('*')],
  });
  Grant.addToPrincipal({
    grantee: emptier,
    actions: ['s3:ListBucket', 's3:GetBucketTagging'],
    resourceArns: [bucket.bucketArn],
  });
  acknowledge(emptier.executionRole, {
    'AwsSolutions-IAM5[Resource::<ImageBucket.Arn>/*]': 'It empties this one bucket, whatever is in it.',
  });
  const emptied = new CustomResource(scope, 'EmptiedBucket', {
    resourceType: 'Custom::EmptiedBucket',
    serviceToken: emptier.functionArn,
    serviceTimeout: Duration.seconds(deployTimeoutsS.emptyBucket.service),
    properties: { Bucket: bucket.bucketName },
  });
  pinLogicalId(emptied, 'EmptiedBucket');
  emptied.node.addDependency(emptier, bucket);
}
