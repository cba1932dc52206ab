/** How CloudFront caches: the edge's cache key and what it forwards to the API, and errors that no distribution caches. */

import { Duration } from 'aws-cdk-lib';
import {
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  type ErrorResponse,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { edgeKeyHeaders, sharedCachingS } from '../../lambda/contract/edge';
import { globalName, pinLogicalId } from '../resources';

/**
 * The key: path, query string and two headers, the last two as the function leaves them. A policy takes ten parameters at
 * most, so that the function, and not a list here, drops the ones that are not recognised. An answer that does not say
 * how long it may be kept is not kept.
 */
export function edgeCachePolicy(scope: Construct): CachePolicy {
  const policy = new CachePolicy(scope, 'CachePolicy', {
    cachePolicyName: globalName(scope, 'edge'),
    comment: 'Path, recognised parameters, image format, and whether there is a key',
    queryStringBehavior: CacheQueryStringBehavior.all(),
    headerBehavior: CacheHeaderBehavior.allowList(...edgeKeyHeaders),
    cookieBehavior: CacheCookieBehavior.none(),
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(sharedCachingS.fresh),
  });
  pinLogicalId(policy, 'EdgeCachePolicy');
  return policy;
}

/** All headers of the viewer, keys and `Sec-Fetch-*` among them, but the host, by which API Gateway knows its APIs. */
export function edgeOriginRequestPolicy(scope: Construct): OriginRequestPolicy {
  const policy = new OriginRequestPolicy(scope, 'OriginRequestPolicy', {
    originRequestPolicyName: globalName(scope, 'edge'),
    comment: 'Everything but the host and cookies',
    headerBehavior: OriginRequestHeaderBehavior.denyList('Host'),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    cookieBehavior: OriginRequestCookieBehavior.none(),
  });
  pinLogicalId(policy, 'EdgeOriginRequestPolicy');
  return policy;
}

const cachedStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** Keeps CloudFront from caching errors, which it would do for ten seconds whatever the origin says. */
export const uncachedErrors: ErrorResponse[] = cachedStatuses.map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));
