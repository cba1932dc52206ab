/** Adds the CloudFront distribution before the API. It caches the responses that `api` lets caches share. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { edgeHeaders, sharedCachingS } from '../../lambda/contract/edge';
import { outputs } from '../../lambda/contract/outputs';
import { parameterNames } from '../../lambda/contract/parameters';
import { gatewayTimeoutMs } from '../../lambda/contract/timeouts';
import { shortNames } from '../../lambda/requests/parameter-names';
import { makeDomainProps } from '../domains';
import { addOutputs } from '../outputs';
import type { Stage } from '../stage';

/** The statuses that CloudFront caches by default, which would show the 503 of one caller to all. */
const uncachedStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** The headers of the cache key. `Authorization` and `X-API-Key` give each API key its own responses. */
const cacheKeyHeaders = ['Accept', 'Authorization', 'X-API-Key', edgeHeaders.page];

/**
 * Adds the distribution. The API still serves requests that come without it.
 * @param proof secret header. It tells the API that the distribution has set the viewer's address.
 * @returns URL of the service without a trailing slash
 */
export function addEdge(stack: Stack, stage: Stage, restApiId: string, proof: ISecret): string {
  const scope = new Construct(stack, 'Edge');
  const { api: domain } = stage.domains;
  const viewerRequest = new cloudfront.Function(scope, 'ViewerRequest', {
    comment: 'Cache key and IP address of the viewer',
    runtime: cloudfront.FunctionRuntime.JS_2_0,
    code: cloudfront.FunctionCode.fromInline(readViewerRequestCode()),
  });
  const distribution = new cloudfront.Distribution(scope, 'Distribution', {
    comment: 'API of the image redirect service',
    defaultBehavior: {
      origin: new HttpOrigin(`${restApiId}.execute-api.${stack.region}.${stack.urlSuffix}`, {
        originPath: `/${stage.name}`,
        customHeaders: { [edgeHeaders.proof]: proof.secretValue.unsafeUnwrap() },
        // Longer than API Gateway waits. After a timeout CloudFront repeats a request, which may be charged.
        readTimeout: Duration.millis(gatewayTimeoutMs + 1_000),
      }),
      // HTTP is not redirected, because the key in such a request has been readable on its way.
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      // The query has known parameters only: `viewer-request.js` drops others, because a policy can list ten at most.
      // A response without `Cache-Control` is not cached.
      cachePolicy: new cloudfront.CachePolicy(scope, 'CachePolicy', {
        queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
        headerBehavior: cloudfront.CacheHeaderBehavior.allowList(...cacheKeyHeaders),
        cookieBehavior: cloudfront.CacheCookieBehavior.none(),
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: Duration.seconds(sharedCachingS.fresh),
      }),
      // API Gateway tells APIs apart by `Host`, so the `Host` of the viewer is not passed on.
      originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [
        { eventType: cloudfront.FunctionEventType.VIEWER_REQUEST, function: viewerRequest },
      ],
      // Compression would need the viewer's encodings in the cache key.
      compress: false,
    },
    errorResponses: uncachedStatuses.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    ...makeDomainProps(scope, domain),
  });
  addOutputs(stack, {
    [outputs.edgeDistribution]: distribution.distributionId,
    [outputs.apiDomainTarget]: domain && distribution.distributionDomainName,
  });
  return `https://${domain?.name ?? distribution.distributionDomainName}`;
}

/** Returns the source of the CloudFront Function, with the names of the parameters in front. */
export function readViewerRequestCode(): string {
  const otherNames = Object.fromEntries(Object.entries(shortNames).map(([name, short]) => [short, name]));
  return [
    `const PARAMETERS = ${JSON.stringify(parameterNames)};`,
    `const OTHER_NAMES = ${JSON.stringify(otherNames)};`,
    readFileSync(join(__dirname, 'viewer-request.js'), 'utf8'),
  ].join('\n');
}
