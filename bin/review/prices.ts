/** What AWS charges, as the cost sheet reckons: list prices in US dollars for us-east-1, without free tiers. */

import type { BedrockModelId } from '../../lambda/contract/generators';

/** When the prices were last read. */
export const pricesReadOn = '2026-11-21';

/** Per unit. Each is on the price page of its service, https://aws.amazon.com/{service}/pricing/. */
export const prices = {
  /** api-gateway: REST API calls, first 333 million a month. */
  restCall: 3.5 / 1e6,
  /** lambda: requests. */
  invocation: 0.2 / 1e6,
  /** lambda: duration on arm64, first tier, per GB-second. */
  gigabyteSecond: 0.0000133334,
  /** dynamodb: on-demand, per write of up to 1 KB; a refused condition costs one too. */
  write: 0.625 / 1e6,
  /** dynamodb: on-demand, per strongly consistent read of up to 4 KB; an eventually consistent one is half. */
  read: 0.125 / 1e6,
  /** s3: PUT and LIST requests. */
  put: 5 / 1e6,
  /** s3: GET and HEAD requests. */
  get: 0.4 / 1e6,
  /** s3: per GB and month. */
  storedGigabyteMonth: 0.023,
  /** cloudfront: per GB to viewers in North America and Europe, first 10 TB. */
  deliveredGigabyte: 0.085,
  /** cloudfront: https requests, North America. */
  cdnRequest: 1 / 1e6,
  /** cloudwatch: per GB of logs taken in. */
  loggedGigabyte: 0.5,
  /** cloudwatch: per custom metric and month, first 10,000. */
  metricMonth: 0.3,
  /** cloudwatch: per metric that an alarm watches, and month. */
  alarmMetricMonth: 0.1,
  /** secrets-manager: per secret and month. */
  secretMonth: 0.4,
  /** waf: access list and one rule, per month; and per request. */
  firewallMonth: 6,
  firewallRequest: 0.6 / 1e6,
  /**
   * bedrock: one image of the three models, us-west-2, as carried by
   * https://github.com/stdapi-ai/stdapi.ai (docs/models).
   */
  images: {
    'stability.stable-image-core-v1:1': 0.04,
    'stability.sd3-5-large-v1:0': 0.08,
    'stability.stable-image-ultra-v1:1': 0.14,
  } satisfies Readonly<Record<BedrockModelId, number>>,
} as const;
