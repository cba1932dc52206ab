/** The service's own images: a private bucket, and CloudFront in front of it. */

import { Duration, Tags } from 'aws-cdk-lib';
import { Effect, Grant, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import {
  masterPrefix,
  photoIndexPrefix,
  photoPrefix,
  renditionDays,
  renditionPrefixes,
  servedPrefixes,
} from '../../lambda/contract/image-paths';
import { clientPackagePath } from '../client-package';
import { DeployTimeFunction } from '../deploy-time/deploy-time-function';
import { emptiedTag } from '../deploy-time/empty-bucket/empty-bucket';
import { examplesFolder } from '../example-images';
import type { NodeFunction } from '../functions/node-function';
import { acknowledge, pinLogicalId } from '../resources';
import { retentionOf, type Stage } from '../stage';
import { ImageCdn } from './image-cdn';
import { SigningKey } from './signing-key';

/** The bucket outlives the stack where the stage keeps its data. */
export class ImageLibrary extends Construct {
  readonly cdn: ImageCdn;
  /** Holds masters, renditions, and photographs of the operator's own. */
  readonly bucket: Bucket;
  private readonly signingKey: SigningKey;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.bucket = new Bucket(this, 'ImageBucket', {
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
    });
    pinLogicalId(this.bucket, 'ImageBucket');
    acknowledge(this.bucket, {
      'AwsSolutions-S1':
        'Only CloudFront and the functions reach the bucket; a log of their reads would hold nothing that their own logs and metrics lack.',
    });
    if (!stage.keepsData) emptyWithStack(this, stage, this.bucket as IBucket);
    this.serveRenditionsAlone();
    this.signingKey = new SigningKey(this, 'SigningKey', stage);
    this.cdn = new ImageCdn(this, 'Cdn', {
      stage,
      bucket: this.bucket as IBucket,
      keyGroup: this.signingKey.keyGroup,
    });
  }

  /** To tell where the client package and the examples are, which are there before the function says so. */
  grantNameFiles(fn: NodeFunction): void {
    fn.addEnvironment(variables.examplesUrl, `${this.cdn.baseUrl}/${examplesFolder()}`);
    fn.addEnvironment(variables.clientPackageUrl, `${this.cdn.baseUrl}/${clientPackagePath()}`);
    fn.node.addDependency(this.signingKey.maker.publishFiles(this.bucket as IBucket));
  }

  /** CloudFront reads what is open and renditions alone, whatever URL is signed: no master and no original. */
  private serveRenditionsAlone(): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RenditionsAloneAreServed',
        effect: Effect.DENY,
        principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
        actions: ['s3:GetObject'],
        notResources: servedPrefixes.map((prefix) => this.bucket.arnForObjects(`${prefix}*`)),
      }),
    );
  }

  /** To hand out URLs of images, signed ones included. */
  grantDeliver(fn: NodeFunction): void {
    fn.addEnvironment(variables.imageBaseUrl, this.cdn.baseUrl);
    this.signingKey.grantSign(fn);
  }

  /** To read masters, which variations start from. */
  grantReadMasters(fn: NodeFunction): void {
    this.allow(fn, ['GetObject'], masterPrefix);
    this.allowListing(fn);
  }

  /** To read renditions and what they are made from. */
  grantReadImages(fn: NodeFunction): void {
    for (const prefix of [masterPrefix, photoPrefix, ...renditionPrefixes])
      this.allow(fn, ['GetObject'], prefix);
    this.allowListing(fn);
  }

  /** To read which photographs of the operator's own there are. */
  grantSearch(fn: NodeFunction): void {
    this.allow(fn, ['GetObject'], photoIndexPrefix);
    this.allowListing(fn);
  }

  /** To store a master under a new path. */
  grantStoreMasters(fn: NodeFunction): void {
    this.allow(fn, ['PutObject'], masterPrefix);
  }

  /** To store renditions, and nothing that others are made from. */
  grantStoreRenditions(fn: NodeFunction): void {
    for (const prefix of renditionPrefixes) this.allow(fn, ['PutObject'], prefix);
  }

  /** To remove the master that it has stored and that nobody shows. */
  grantDiscard(fn: NodeFunction): void {
    this.allow(fn, ['DeleteObject'], masterPrefix);
  }

  /** Without it, S3 also answers 403 instead of 404 for an image that is not there. */
  private allowListing(fn: NodeFunction): void {
    Grant.addToPrincipal({ grantee: fn, actions: ['s3:ListBucket'], resourceArns: [this.bucket.bucketArn] });
  }

  /** @param prefix of the objects' paths */
  private allow(fn: NodeFunction, actions: readonly string[], prefix: string): void {
    fn.addEnvironment(variables.imageStore, `s3://${this.bucket.bucketName}`);
    Grant.addToPrincipal({
      grantee: fn,
      actions: actions.map((action) => `s3:${action}`),
      resourceArns: [this.bucket.arnForObjects(`${prefix}*`)],
    });
    acknowledge(fn.executionRole, {
      [`AwsSolutions-IAM5[Resource::<ImageBucket.Arn>/${prefix}*]`]:
        'The wildcard stands for the images in one bucket, whose names come from what is asked for.',
    });
  }
}

/** Empties a bucket before a stack that does not keep its data deletes it. */
function emptyWithStack(scope: Construct, stage: Stage, bucket: IBucket): void {
  // Without the tag the bucket is left alone, whatever CloudFormation deletes.
  Tags.of(bucket).add(emptiedTag.key, emptiedTag.value);
  const emptier = new DeployTimeFunction(
    scope,
    'BucketEmptier',
    stage,
    'emptyBucket',
    'Empties the bucket when the stack is deleted',
  );
  emptier.allow(['s3:DeleteObject'], [bucket.arnForObjects('*')]);
  emptier.allow(['s3:ListBucket', 's3:GetBucketTagging'], [bucket.bucketArn]);
  acknowledge(emptier.executionRole, {
    'AwsSolutions-IAM5[Resource::<ImageBucket.Arn>/*]': 'It empties this one bucket, whatever is in it.',
  });
  const emptied = emptier.customResource('EmptiedBucket', 'EmptiedBucket', { Bucket: bucket.bucketName });
  emptied.node.addDependency(bucket);
}
