/** What AWS charges, as the cost sheet reckons: list prices in US dollars for us-east-1, without free tiers. */

import type { BedrockModelId } from '../../lambda/contract/generators';

/** When the prices were last read. */
export const pricesReadOn = '2026-11-21';

/** Prices that were read on another day. */
export const readOnOtherDays: Readonly<Record<string, string>> = {
  loggedInfrequentGigabyte: '2026-11-22',
  tokens: '2026-11-23',
};

/** Prices that a second source confirmed on that day; the others are to be compared with their page before a decision. */
export const confirmedPrices: readonly string[] = [
  'restCall',
  'invocation',
  'write',
  'read',
  'loggedGigabyte',
  'loggedInfrequentGigabyte',
];

/** The service on whose page, https://aws.amazon.com/{service}/pricing/, a price stands. */
export const pricePages = {
  restCall: 'api-gateway',
  invocation: 'lambda',
  gigabyteSecond: 'lambda',
  write: 'dynamodb',
  read: 'dynamodb',
  tableGigabyteMonth: 'dynamodb',
  recoveryGigabyteMonth: 'dynamodb',
  put: 's3',
  get: 's3',
  storedGigabyteMonth: 's3',
  deliveredGigabyte: 'cloudfront',
  cdnRequest: 'cloudfront',
  edgeFunction: 'cloudfront',
  egressGigabyte: 'ec2',
  loggedGigabyte: 'cloudwatch',
  loggedInfrequentGigabyte: 'cloudwatch',
  metricMonth: 'cloudwatch',
  alarmMetricMonth: 'cloudwatch',
  dashboardMonth: 'cloudwatch',
  secretMonth: 'secrets-manager',
  firewallMonth: 'waf',
  firewallRuleMonth: 'waf',
  firewallRequest: 'waf',
  images: 'bedrock',
  tokens: 'bedrock',
} as const satisfies Record<keyof typeof prices, string>;

/** Per unit. */
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
  /** dynamodb: per GB and month stored, and again for point-in-time recovery. */
  tableGigabyteMonth: 0.25,
  recoveryGigabyteMonth: 0.2,
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
  /** cloudfront: one run of a function. */
  edgeFunction: 0.1 / 1e6,
  /** ec2: per GB that answers of the API carry to the internet, first 10 TB. */
  egressGigabyte: 0.09,
  /** cloudwatch: per GB of logs taken in, in the standard class; and in the Infrequent Access class. */
  loggedGigabyte: 0.5,
  loggedInfrequentGigabyte: 0.25,
  /** cloudwatch: per custom metric and month, first 10,000. */
  metricMonth: 0.3,
  /** cloudwatch: per metric that an alarm watches, and month. */
  alarmMetricMonth: 0.1,
  /** cloudwatch: per dashboard and month. */
  dashboardMonth: 3,
  /** secrets-manager: per secret and month. */
  secretMonth: 0.4,
  /** waf: access list and one rule, per month; one more rule; and per request. */
  firewallMonth: 6,
  firewallRuleMonth: 1,
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
  /** bedrock: one token that a model reads or writes, of the models that docs/judge.md names, us-east-1. */
  tokens: { 'amazon.nova-lite-v1:0': { read: 0.06 / 1e6, written: 0.24 / 1e6 } },
} as const;
