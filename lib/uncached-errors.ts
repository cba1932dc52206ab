/** Keeps CloudFront from caching errors, which it would do for ten seconds whatever the origin says. */

import { Duration } from 'aws-cdk-lib';
import type { ErrorResponse } from 'aws-cdk-lib/aws-cloudfront';

const statuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** Every status that CloudFront caches unless it is configured otherwise. */
export const uncachedErrors: ErrorResponse[] = statuses.map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));
