/** Copies the public files into the image bucket at each deployment. */

import { Duration } from 'aws-cdk-lib';
import type { IDistribution } from 'aws-cdk-lib/aws-cloudfront';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import type { Construct } from 'constructs';
import { publicFiles } from '../../lambda/contract/image-paths';
import { projectRoot } from '../functions/bundle';
import { makeAssetOptions } from '../functions/function';
import { publicMediaTypes, writePublicFiles } from '../public-files';
import { getRemovalPolicy, type Stage } from '../stage';

/**
 * Adds a deployment for each media type, because the CDK's function would guess wrong types for some files.
 * @param distribution its copy of the client package is dropped when a file has changed
 * @returns the deployments. A resource that links to a public file must depend on them.
 */
export function publishFiles(scope: Construct, stage: Stage, bucket: IBucket, distribution: IDistribution) {
  const logGroup = new LogGroup(scope, 'PublicFilesLogs', {
    retention: stage.logRetentionDays,
    removalPolicy: getRemovalPolicy(stage),
  });
  const files = Source.asset(projectRoot, makeAssetOptions('public files', writePublicFiles));
  return Object.entries(publicMediaTypes).map(
    ([extension, contentType]) =>
      new BucketDeployment(scope, `PublicFiles-${extension}`, {
        sources: [files],
        exclude: ['*'],
        include: [`*.${extension}`],
        contentType,
        destinationBucket: bucket,
        // The distribution ignores the query of `client.tgz?2`, so it must drop the old package itself.
        ...(extension === 'tgz' && { distribution, distributionPaths: [`/${publicFiles.clientPackage}`] }),
        // The bucket's other files are images.
        prune: false,
        cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(Duration.hours(1))],
        logGroup,
      }),
  );
}
