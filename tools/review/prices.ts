/** What AWS charges, as the cost sheet calculates: list prices in US dollars for us-east-1, without free tiers, and where each stands. */

import type { BedrockModelId } from '../../lambda/contract/generators';
import { table } from '../markdown';

/** When the prices were read, where a price says no other day. */
export const pricesReadOn = '2026-11-21';

interface ListPrice {
  /** Service on whose page, https://aws.amazon.com/{page}/pricing/, the price stands. */
  readonly page: string;
  /** Dollars per unit. */
  readonly usd: number | object;
  /** Whether a second source confirmed it; the others are to be compared with their page before a decision. */
  readonly isConfirmed?: true;
  readonly readOn?: string;
}

const listed = {
  /** REST API calls, first 333 million a month. */
  restCall: { page: 'api-gateway', usd: 3.5 / 1e6, isConfirmed: true },
  /** Requests. */
  invocation: { page: 'lambda', usd: 0.2 / 1e6, isConfirmed: true },
  /** Duration on arm64, first tier, per GB-second. */
  gigabyteSecond: { page: 'lambda', usd: 0.0000133334 },
  /** On-demand, per write of up to 1 KB; a refused condition costs one too. */
  write: { page: 'dynamodb', usd: 0.625 / 1e6, isConfirmed: true },
  /** On-demand, per strongly consistent read of up to 4 KB; an eventually consistent one is half. */
  read: { page: 'dynamodb', usd: 0.125 / 1e6, isConfirmed: true },
  /** Per GB and month stored, and again for point-in-time recovery. */
  tableGigabyteMonth: { page: 'dynamodb', usd: 0.25 },
  recoveryGigabyteMonth: { page: 'dynamodb', usd: 0.2 },
  /** PUT and LIST requests. */
  put: { page: 's3', usd: 5 / 1e6 },
  /** GET and HEAD requests. */
  get: { page: 's3', usd: 0.4 / 1e6 },
  /** Per GB and month. */
  storedGigabyteMonth: { page: 's3', usd: 0.023 },
  /** Per GB to viewers in North America and Europe, first 10 TB. */
  deliveredGigabyte: { page: 'cloudfront', usd: 0.085 },
  /** HTTPS requests, North America. */
  cdnRequest: { page: 'cloudfront', usd: 1 / 1e6 },
  /** One run of a function. */
  edgeFunction: { page: 'cloudfront', usd: 0.1 / 1e6 },
  /** Per GB that answers of the API carry to the internet, first 10 TB. */
  egressGigabyte: { page: 'ec2', usd: 0.09 },
  /** Per GB of logs taken in, in the standard class; and in the Infrequent Access class. */
  loggedGigabyte: { page: 'cloudwatch', usd: 0.5, isConfirmed: true },
  loggedInfrequentGigabyte: { page: 'cloudwatch', usd: 0.25, isConfirmed: true, readOn: '2026-11-22' },
  /** Per custom metric and month, first 10,000. */
  metricMonth: { page: 'cloudwatch', usd: 0.3 },
  /** Per metric that an alarm watches, and month. */
  alarmMetricMonth: { page: 'cloudwatch', usd: 0.1 },
  /** Per secret and month. */
  secretMonth: { page: 'secrets-manager', usd: 0.4 },
  /** Access list and one rule, per month; one more rule; and per request. */
  firewallMonth: { page: 'waf', usd: 6 },
  firewallRuleMonth: { page: 'waf', usd: 1 },
  firewallRequest: { page: 'waf', usd: 0.6 / 1e6 },
  /** One image of the three models, us-west-2, as carried by https://github.com/stdapi-ai/stdapi.ai (docs/models). */
  images: {
    page: 'bedrock',
    usd: {
      'stability.stable-image-core-v1:1': 0.04,
      'stability.sd3-5-large-v1:0': 0.08,
      'stability.stable-image-ultra-v1:1': 0.14,
    } satisfies Readonly<Record<BedrockModelId, number>>,
  },
} as const satisfies Readonly<Record<string, ListPrice>>;

/** Dollars per unit, by the name of the price. */
export const prices = Object.fromEntries(Object.entries(listed).map(([name, { usd }]) => [name, usd])) as {
  readonly [Name in keyof typeof listed]: (typeof listed)[Name]['usd'];
};

/** Markdown: each price with its page, its date and whether a second source confirmed it. */
export function priceSources(): string {
  const rows = Object.entries<ListPrice>(listed).map(([name, { page, readOn, isConfirmed }]) => [
    `\`${name}\``,
    `https://aws.amazon.com/${page}/pricing/`,
    readOn ?? pricesReadOn,
    isConfirmed ? 'yes' : 'no',
  ]);
  return `## Sources of the prices

Compare the prices that a second source did not confirm with their page before you rely on them.

${table(['Price in `tools/review/prices.ts`', 'Page', 'Read on', 'Confirmed'], rows)}`;
}
