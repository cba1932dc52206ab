/** The cost page, `docs/cost.md`: what requests, AI images and a month cost, from list prices and assumed durations. */

import { functionMemoryMb } from '../../lambda/contract/functions';
import type { BedrockModelId } from '../../lambda/contract/generators';
import { defaultPlans, type PlanName, planNames, planTexts } from '../../lambda/contract/plans';
import type { StageName } from '../../lib/stage-settings';

/**
 * List prices in US dollars for us-east-1, without free tiers, as of 2026-11-21:
 * https://aws.amazon.com/{api-gateway,lambda,dynamodb,s3,cloudfront,cloudwatch,secrets-manager,waf,bedrock}/pricing/
 */
const prices = {
  restCall: 3.5e-6,
  invocation: 0.2e-6,
  /** Duration of a function on arm64. */
  gigabyteSecond: 0.0000133334,
  /** Up to 1 KB; a refused condition costs one too. */
  write: 0.625e-6,
  /** Up to 4 KB, strongly consistent; half of it otherwise. */
  read: 0.125e-6,
  put: 5e-6,
  get: 0.4e-6,
  deliveredGigabyte: 0.085,
  egressGigabyte: 0.09,
  cdnRequest: 1e-6,
  edgeFunction: 0.1e-6,
  /** In the standard class, and in that of infrequent access. */
  loggedGigabyte: 0.5,
  loggedInfrequentGigabyte: 0.25,
  firewallRequest: 0.6e-6,
  secretMonth: 0.4,
  alarmMetricMonth: 0.1,
  metricMonth: 0.3,
  firewallMonth: 5,
  firewallRuleMonth: 1,
  /** One image, us-west-2. */
  images: {
    'stability.stable-image-core-v1:1': 0.04,
    'stability.sd3-5-large-v1:0': 0.08,
    'stability.stable-image-ultra-v1:1': 0.14,
  } satisfies Readonly<Record<BedrockModelId, number>>,
} as const;

/** Milliseconds billed of each function, and what is sent to tables and bucket; assumptions, on the safe side. */
interface Usage {
  readonly ms: Readonly<Partial<Record<keyof typeof functionMemoryMb, number>>>;
  readonly writes: number;
  readonly reads: number;
  readonly puts?: number;
  readonly gets?: number;
}
const known: Usage = { ms: { authorizer: 2, api: 6 }, writes: 1, reads: 0 };
const analysed: Usage = { ...known, writes: 2 };
const requests: Readonly<Record<string, Usage>> = {
  'Refused: malformed key, or a limit known to be reached': {
    ms: { authorizer: 2, api: 2 },
    writes: 0,
    reads: 0,
  },
  'Stock image, known': known,
  'Stock image, known, on a plan with analytics': analysed,
  'Stock image, known, first request of an instance': {
    ms: { authorizer: 350, api: 450 },
    writes: 1,
    reads: 1.5,
  },
  'Stock image, new: provider request and rendition': {
    ms: { authorizer: 2, api: 1_500, renderer: 600 },
    ...{ writes: 6, reads: 2, puts: 1, gets: 1 },
  },
  'AI image, made before': { ms: { authorizer: 2, api: 12 }, writes: 1, reads: 2 },
};
const aNewImage: Usage = {
  ms: { authorizer: 2, api: 6_000, generator: 5_000, renderer: 600 },
  ...{ writes: 11, reads: 10, puts: 2, gets: 1 },
};
/** Bytes of a request's line in the access log and of its share of the metrics, and of an answer of the API. */
const bytes = { accessLog: 352, metrics: 14, answer: 2_200 } as const;
const gigabyte = 1024 ** 3;
/** Combinations of a metric and its dimensions that a stack counts, assumed. */
const customMetrics = 40;
/** Share of a page's requests that a distribution before the API answers from its cache, assumed. */
const cachedShare = 0.8;

/** Dollars of one request, its logs included. */
function costOf({ ms, writes, reads, puts = 0, gets = 0 }: Usage): number {
  const functions = Object.entries(ms).map(([name, billed]) => {
    const gigabyteSeconds = (functionMemoryMb[name as keyof typeof ms] / 1_024) * (billed / 1_000);
    return prices.invocation + gigabyteSeconds * prices.gigabyteSecond;
  });
  const { accessLog, metrics } = bytes;
  const logs = accessLog * prices.loggedInfrequentGigabyte + metrics * prices.loggedGigabyte;
  const data = writes * prices.write + reads * prices.read + puts * prices.put + gets * prices.get;
  return prices.restCall + functions.reduce((a, b) => a + b, 0) + data + logs / gigabyte;
}

/** What a million known stock images cost, logs included, in dollars; on a plan with analytics as well. */
export const knownImagesCost = {
  plain: costOf(known) * 1e6,
  withAnalytics: costOf(analysed) * 1e6,
} as const;

/** What the model asks for all AI images that an account may have made in a month, and what it pays (absent: agreed upon), in dollars. */
export function monthOfImages(plan: PlanName, model: BedrockModelId) {
  const paid = /^\$([\d.]+)/.exec(planTexts()[plan].price ?? '')?.[1];
  const cost = defaultPlans[plan].generationsPerMonth * prices.images[model];
  return { cost, ...(paid !== undefined && { paid: Number(paid) }) };
}

/** The resources of a template that AWS bills by the month, with the dollars of each kind. */
export function monthlyCosts(template: Readonly<Record<string, unknown>>) {
  const resources = Object.values(template['Resources'] as Readonly<Record<string, Resource>>);
  const of = (type: string) => resources.filter(({ Type }) => Type === type).map((each) => each.Properties);
  const metricsOf = ({ Metrics }: Resource['Properties'] = {}) =>
    Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
  const alarmMetrics = of('AWS::CloudWatch::Alarm').reduce((count, alarm) => count + metricsOf(alarm), 0);
  const firewalls = of('AWS::WAFv2::WebACL');
  const rules = firewalls.flatMap((firewall) => firewall?.Rules ?? []);
  const secrets = of('AWS::SecretsManager::Secret');
  return {
    Secrets: secrets.length * prices.secretMonth,
    Alarms: alarmMetrics * prices.alarmMetricMonth,
    'Custom metrics': customMetrics * prices.metricMonth,
    Firewall: firewalls.length * prices.firewallMonth + rules.length * prices.firewallRuleMonth,
  };
}

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    readonly Metrics?: readonly { readonly MetricStat?: unknown }[];
    readonly Rules?: readonly unknown[];
  };
}

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** A Markdown table; columns of amounts are right-aligned. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isAmount = (text = '') => /^\$?[\d.,]+$/.test(text);
  const line = head.map((_, i) => (rows.every((row) => isAmount(row[i])) ? '---:' : '---'));
  return [head, line, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Markdown of `docs/cost.md`. @param templates as CloudFormation takes them, by stage */
export function costSheet(templates: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const [dev, prod] = (['dev', 'prod'] satisfies StageName[]).map((name) =>
    monthlyCosts(templates[name] ?? {}),
  ) as [ReturnType<typeof monthlyCosts>, ReturnType<typeof monthlyCosts>];
  const sum = (amounts: object) => Object.values(amounts).reduce((a: number, b: number) => a + b, 0);
  const models = Object.keys(prices.images) as BedrockModelId[];
  const imagesOf = (plan: PlanName, model: BedrockModelId) => {
    const { cost, paid = Infinity } = monthOfImages(plan, model);
    return `${dollars(cost)}${cost > paid ? ', more than it pays' : ''}`;
  };
  const answered = bytes.answer / gigabyte;
  const api = costOf(known) + prices.firewallRequest;
  const edge = prices.cdnRequest + prices.edgeFunction + answered * prices.deliveredGigabyte;
  const eachRequest = { plain: api + answered * prices.egressGigabyte, edge: edge + (1 - cachedShare) * api };
  const months = [10_000, 100_000, 1_000_000, 10_000_000].map((count) => [
    count.toLocaleString('en'),
    ...[eachRequest.plain, eachRequest.edge].map((each) => dollars(sum(prod) + count * each)),
  ]);
  const perThousand = costOf(aNewImage) * 1_000;
  return `# Costs

Written by \`npm run synth\` from the list prices of 2026-11-21 in us-east-1, without free tiers. Prices and assumed durations stand in \`tools/review/cost-sheet.ts\`: replace them by those of your own bill and metrics.

## A million requests

${markdownTable(
  ['Request, with its logs', 'Cost'],
  Object.entries(requests).map(([name, usage]) => [name, dollars(costOf(usage) * 1e6)]),
)}

Besides: ${dollars(answered * prices.egressGigabyte * 1e6)} for what answers carry to the internet, and ${dollars(prices.firewallRequest * 1e6)} where the firewall is on, as in prod. With \`edge\` a request that the cache answers costs ${dollars(edge * 1e6)}, and one that it passes on that much more: it pays off when it answers more than ${Math.ceil(((edge - answered * prices.egressGigabyte) / api) * 100)} % of them.

Delivering an image of 250 KB a million times from the distribution costs ${dollars((0.25 / 1_024) * 1e6 * prices.deliveredGigabyte + prices.cdnRequest * 1e6)}; images that are cropped by their provider cost nothing.

## AI images

Making a thousand costs ${dollars(perThousand)} beside what the model asks. What the model asks of an account that has all of its \`generationsPerMonth\` made, beside what the plan pays:

${markdownTable(
  ['Model', 'An image', ...planNames],
  [
    ['(paid)', '', ...planNames.map((plan) => planTexts()[plan].price ?? 'none')],
    ...models.map((model) => [
      `\`${model}\``,
      dollars(prices.images[model]),
      ...planNames.map((plan) => imagesOf(plan, model)),
    ]),
  ],
)}

With a model that costs more than an account pays, lower \`generationsPerMonth\` in the setting \`plans\`. \`generationsPerDay\` bounds all accounts together.

## A month

Without traffic, prod costs ${dollars(sum(prod))} a month and dev ${dollars(sum(dev))}, beside $0.45 for each GB in tables:

${markdownTable(
  ['Item', 'prod', 'dev'],
  Object.entries(prod).map(([name, cost]) => [name, dollars(cost), dollars(dev[name as keyof typeof dev])]),
)}

Known stock images to steady traffic with all of the above; AI images and delivery come on top:

${markdownTable(['Requests', 'Without `edge`', `With \`edge\`, ${cachedShare * 100} % from its cache`], months)}
`;
}
