/** Copies the public files into the image bucket while the stack is deployed. */

import { Duration } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import type { Construct } from 'constructs';
import { createBundledAsset } from '../functions/bundled-asset';
import { publicMediaTypes, writePublicFiles } from '../public-files';
import { retentionOf, type Stage } from '../stage';

/**
 * Adds a deployment for each media type, as the CDK's function would guess other types for some.
 * @returns the deployments: what links to a public file depends on them
 */
export function publishFiles(scope: Construct, stage: Stage, bucket: IBucket): readonly BucketDeployment[] {
  const logGroup = new LogGroup(scope, 'PublicFilesLogs', {
    retention: stage.logRetentionDays,
    removalPolicy: retentionOf(stage),
  });
  const { path, ...options } = createBundledAsset('public files', writePublicFiles);
  const files = Source.asset(path, options);
  return Object.entries(publicMediaTypes).map(
    ([extension, contentType]) =>
      new BucketDeployment(scope, `PublicFiles-${extension}`, {
        sources: [files],
        exclude: ['*'],
        include: [`*.${extension}`],
        contentType,
        destinationBucket: bucket,
        // The bucket's other files are images.
        prune: false,
        cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(Duration.hours(1))],
        logGroup,
      }),
  );
}
