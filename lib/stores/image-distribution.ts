/** Adds the CloudFront distribution before the image bucket. Paths outside the open prefixes need a signed URL. */

import { type CustomResource, Duration, Fn, type Stack, Validations } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { openImagePrefixes, publicFiles } from '../../lambda/contract/image-paths';
import { outputs } from '../../lambda/contract/outputs';
import { makeDomainProps } from '../domains';
import { addOutputs } from '../outputs';
import type { Stage } from '../stage';

/**
 * Adds the distribution, and the public keys that check its signed URLs.
 * @param versions of the keys that sign URLs; the last one is in use
 * @param keys the key maker's resource
 */
export function addImageDistribution(
  stack: Stack,
  stage: Stage,
  bucket: IBucket,
  versions: readonly number[],
  keys: CustomResource,
) {
  const scope = new Construct(stack, 'Images');
  const stackUuid = Fn.select(2, Fn.split('/', stack.stackId));
  const publicKeys = versions.map((version) => {
    const encodedKey = keys.getAttString(`PublicKeyV${version}`);
    const publicKey = new cloudfront.PublicKey(scope, `SigningKeyV${version}`, { encodedKey });
    // The caller reference must be new in the account, also among keys that were deleted.
    (publicKey.node.defaultChild as cloudfront.CfnPublicKey).addPropertyOverride(
      'PublicKeyConfig.CallerReference',
      Fn.join('-', [stackUuid, `v${version}`]),
    );
    return publicKey;
  });
  const images: cloudfront.BehaviorOptions = {
    origin: S3BucketOrigin.withOriginAccessControl(bucket, {
      // The right to list lets S3 respond with 404 to a missing file, and with 403 to a forbidden one.
      originAccessLevels: [cloudfront.AccessLevel.READ, cloudfront.AccessLevel.LIST],
    }),
    viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    allowedMethods: cloudfront.AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    cachePolicy: cloudfront.CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy: addCorsHeaders(scope),
  };
  const responsePagePath = `/${publicFiles.missingFileCard}`;
  const keyGroup = new cloudfront.KeyGroup(scope, 'KeyGroup', { items: publicKeys });
  const distribution = new cloudfront.Distribution(stack, 'ImageDistribution', {
    comment: 'Images of the image redirect service',
    // CloudFront normalises a path to compare it, and sends it to the bucket as it came. So a signature is
    // the default: no unusual way of writing a path opens a private file.
    defaultBehavior: { ...images, trustedKeyGroups: [keyGroup] },
    additionalBehaviors: Object.fromEntries(openImagePrefixes.map((prefix) => [`${prefix}*`, images])),
    // Without a root object, `/` would list the bucket.
    defaultRootObject: 'index.html',
    // A page shows a card in place of a missing image. 403 has no card, because it means a wrong signature.
    errorResponses: [
      { httpStatus: 404, responseHttpStatus: 404, responsePagePath, ttl: Duration.seconds(60) },
    ],
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    ...makeDomainProps(scope, stage.domains.images),
  });
  Validations.of(distribution).acknowledge({
    id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
    reason: 'The root object is named, and each path outside the open prefixes needs a signature.',
  });
  const baseUrl = `https://${stage.domains.images?.name ?? distribution.distributionDomainName}`;
  addOutputs(stack, {
    [outputs.imageUrl]: baseUrl,
    [outputs.imageDistribution]: distribution.distributionId,
    [outputs.imageHost]: distribution.distributionDomainName,
  });
  /** CloudFront's id of the public key in use. */
  const keyPairId = publicKeys.at(-1)?.publicKeyId;
  return { baseUrl, keyPairId, trust: scope, distribution: distribution as cloudfront.IDistribution };
}

/** Adds the headers that let pages of any origin show and read the images. */
function addCorsHeaders(scope: Construct): cloudfront.ResponseHeadersPolicy {
  const resourcePolicy = { header: 'Cross-Origin-Resource-Policy', value: 'cross-origin', override: true };
  return new cloudfront.ResponseHeadersPolicy(scope, 'OpenToEveryPage', {
    corsBehavior: {
      accessControlAllowOrigins: ['*'],
      accessControlAllowHeaders: ['*'],
      accessControlAllowMethods: ['GET', 'HEAD'],
      accessControlAllowCredentials: false,
      originOverride: true,
    },
    securityHeadersBehavior: { contentTypeOptions: { override: true } },
    customHeadersBehavior: { customHeaders: [resourcePolicy] },
  });
}
