/** The service's own images: a private bucket, and CloudFront in front of it. */

import { CfnOutput, Duration, Fn, Stack } from 'aws-cdk-lib';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  type CfnPublicKey,
  Distribution,
  HttpVersion,
  KeyGroup,
  PublicKey,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  masterPrefix,
  openImagePrefixes,
  photoIndexPrefix,
  photoPrefix,
  renditionDays,
  renditionPrefixes,
  servedPrefixes,
} from '../../lambda/contract/image-paths';
import { outputs } from '../../lambda/contract/outputs';
import { addDistributionRecords, distributionDomain, distributionFindings } from '../domains';
import type { ServiceFunction } from '../functions/service-function';
import type { KeyMaker } from '../key-maker';
import { missingFileCardPath } from '../missing-file-card';
import { acknowledge, bucketFindings, globalName, pinLogicalId } from '../resources';
import { retentionOf, type Stage } from '../stage';
import { trustedVersions } from './secrets';

/** A bucket of masters, renditions and the operator's photographs. It outlives the stack where the stage keeps its data. */
export class ImageBucket extends Bucket {
  constructor(scope: Construct, stage: Stage) {
    super(scope, 'ImageBucket', {
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
    pinLogicalId(this, 'ImageBucket');
    acknowledge(this, {
      'AwsSolutions-S1':
        'Only CloudFront and the functions reach the bucket; a log of their reads would hold nothing that their own logs and metrics lack.',
    });
    // CloudFront reads what is open and renditions alone, whatever URL is signed: no master and no original.
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RenditionsAloneAreServed',
        effect: Effect.DENY,
        principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
        actions: ['s3:GetObject'],
        notResources: servedPrefixes.map((prefix) => this.arnForObjects(`${prefix}*`)),
      }),
    );
  }

  /** Lets each function read and write what its work is about. */
  grant({
    api,
    renderer,
    generator,
  }: Readonly<Record<'api' | 'renderer' | 'generator', ServiceFunction>>): void {
    this.grantPaths(api, 'Read', photoIndexPrefix, masterPrefix);
    this.grantPaths(renderer, 'Read', masterPrefix, photoPrefix, ...renditionPrefixes);
    this.grantPaths(renderer, 'Put', ...renditionPrefixes);
    this.grantPaths(generator, 'Read', masterPrefix);
    this.grantPaths(generator, 'Put', masterPrefix);
    // What a generation stored that has lost its turn.
    this.grantPaths(generator, 'Delete', masterPrefix);
  }

  private grantPaths(
    fn: ServiceFunction,
    right: 'Read' | 'Put' | 'Delete',
    ...prefixes: readonly string[]
  ): void {
    for (const prefix of prefixes) {
      this[`grant${right}`](fn, `${prefix}*`);
      acknowledge(fn.executionRole, {
        [`AwsSolutions-IAM5[Resource::<ImageBucket.Arn>/${prefix}*]`]:
          'The wildcard stands for the images in one bucket, whose names come from what is asked for.',
      });
    }
    acknowledge(fn.executionRole, bucketFindings);
  }
}

/** CloudFront in front of the bucket: what is expressly open for everyone, all else for signed URLs only. */
export class ImageDistribution extends Construct {
  /** URL without a trailing slash. */
  readonly baseUrl: string;
  /** CloudFront's id of the public key of the version in use. */
  readonly keyPairId: string;

  constructor(scope: Construct, stage: Stage, bucket: ImageBucket, keyMaker: KeyMaker) {
    super(scope, 'Cdn');
    const { images: domain } = stage.domains;
    const keys = trustedVersions(stage).map((version) => this.publicKey(version, keyMaker));
    const keyGroup = new KeyGroup(this, 'KeyGroup', {
      keyGroupName: globalName(this, 'signing'),
      items: keys,
    });
    this.keyPairId = (keys.at(-1) as PublicKey).publicKeyId;
    const images: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket, {
        // With the right to list, S3 answers 404 for a missing file, and 403 for a forbidden one alone.
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        originAccessControl: new S3OriginAccessControl(this, 'AccessControl', {
          originAccessControlName: globalName(this, 'images'),
        }),
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.openToEveryPage(),
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Images of the image redirect service',
      // CloudFront compares paths after it has tidied them up and sends the bucket what came. So that no way of writing
      // a path opens anything, a signature is what every path needs that is not expressly open.
      defaultBehavior: { ...images, trustedKeyGroups: [keyGroup] },
      additionalBehaviors: Object.fromEntries(openImagePrefixes.map((prefix) => [`${prefix}*`, images])),
      // Without it, the root would list the bucket.
      defaultRootObject: 'index.html',
      // A page shows the card where an image is gone. 403 stays as it is: it is said of the signature.
      errorResponses: [
        {
          httpStatus: 404,
          responseHttpStatus: 404,
          responsePagePath: `/${missingFileCardPath()}`,
          ttl: Duration.seconds(60),
        },
      ],
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...distributionDomain(this, domain),
    });
    pinLogicalId(distribution, 'ImageDistribution');
    acknowledge(distribution, {
      ...distributionFindings(domain),
      'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk':
        'The root object is named, and everything beside the open prefixes asks for a signature.',
    });
    addDistributionRecords(this, 'ImageRecord', domain, distribution);
    this.baseUrl = `https://${domain?.name ?? distribution.distributionDomainName}`;
    const values = {
      [outputs.imageUrl]: this.baseUrl,
      [outputs.imageDistribution]: distribution.distributionId,
      [outputs.imageHost]: distribution.distributionDomainName,
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(Stack.of(this), name, { value });
  }

  private publicKey(version: number, keyMaker: KeyMaker): PublicKey {
    const made = new PublicKey(this, `PublicKeyV${version}`, {
      publicKeyName: globalName(this, `signing-v${version}`),
      encodedKey: keyMaker.publicKey(version),
    });
    pinLogicalId(made, `SigningPublicKeyV${version}`);
    // The reference is global in the account, too, and has to be new for each key that was ever made.
    const stackUuid = Fn.select(2, Fn.split('/', Stack.of(this).stackId));
    (made.node.defaultChild as CfnPublicKey).addPropertyOverride(
      'PublicKeyConfig.CallerReference',
      Fn.join('-', [stackUuid, `v${version}`]),
    );
    return made;
  }

  private openToEveryPage(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'OpenToEveryPage', {
      responseHeadersPolicyName: globalName(this, 'images'),
      comment: 'Pages of any origin may show and read the images',
      corsBehavior: {
        accessControlAllowOrigins: ['*'],
        accessControlAllowHeaders: ['*'],
        accessControlAllowMethods: ['GET', 'HEAD'],
        accessControlAllowCredentials: false,
        originOverride: true,
      },
      securityHeadersBehavior: { contentTypeOptions: { override: true } },
      customHeadersBehavior: {
        customHeaders: [{ header: 'Cross-Origin-Resource-Policy', value: 'cross-origin', override: true }],
      },
    });
  }
}
