/** CloudFront in front of the image bucket: what is expressly open for everyone, all else for signed URLs only. */

import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  HttpVersion,
  type IKeyGroup,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { openImagePrefixes } from '../../lambda/contract/image-paths';
import { addDistributionRecords, distributionDomain, findingsWithoutDomain } from '../domains';
import { uncachedErrors } from '../edge/caching';
import { acknowledge, globalName, pinLogicalId } from '../resources';
import type { Stage } from '../stage';

interface ImageCdnProps {
  readonly stage: Stage;
  readonly bucket: IBucket;
  /** Holders of one of its private keys may fetch private images. */
  readonly keyGroup: IKeyGroup;
}

/** One distribution, with the DNS records of its domain. */
export class ImageCdn extends Construct {
  /** URL without a trailing slash. */
  readonly baseUrl: string;
  readonly distributionId: string;
  /** CloudFront's own name of it, which a domain's DNS record points to. */
  readonly host: string;

  constructor(scope: Construct, id: string, { stage, bucket, keyGroup }: ImageCdnProps) {
    super(scope, id);
    const { imageDomain } = stage;
    const images: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket, {
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
      errorResponses: uncachedErrors,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...distributionDomain(this, imageDomain),
    });
    pinLogicalId(distribution, 'ImageDistribution');
    acknowledge(distribution, {
      'AwsSolutions-CFR1': 'Images are meant for pages anywhere in the world.',
      'AwsSolutions-CFR2':
        'The origin is a bucket of still images: there is nothing behind it that a firewall could protect.',
      'AwsSolutions-CFR3': 'Access logs would keep the signed URLs of private images.',
      ...findingsWithoutDomain(imageDomain, 'imageDomain'),
    });
    this.distributionId = distribution.distributionId;
    this.host = distribution.distributionDomainName;
    addDistributionRecords(this, 'ImageRecord', imageDomain, distribution);
    this.baseUrl = `https://${imageDomain?.name ?? distribution.distributionDomainName}`;
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
