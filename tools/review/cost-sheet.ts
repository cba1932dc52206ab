/** Writes `docs/cost.md`: the costs of requests, AI images and a month, from list prices and assumed durations. */

import { type FunctionName, functionMemoryMb } from '../../lambda/contract/functions';
import type { BedrockModelId } from '../../lambda/contract/generators';
import { defaultPlans, planNames } from '../../lambda/contract/plans';
import { writeMarkdownTable } from '../../lambda/docs/text-table';

/** US dollars in us-east-1, from https://aws.amazon.com/SERVICE/pricing/. */
const prices = {
  /** A call of the REST API with its log: 352 bytes of infrequent access, and 14 of metrics. */
  call: 3.5885e-6,
  invocation: 0.2e-6,
  /** A millisecond of a function with 1 GB on arm64. */
  gigabyteMs: 0.0133334e-6,
  /** Up to 1 KB; a write whose condition is refused costs the same. */
  write: 0.625e-6,
  /** Up to 4 KB, strongly consistent; half of it otherwise. */
  read: 0.125e-6,
  put: 5e-6,
  get: 0.4e-6,
  /** The 2,200 bytes of an answer to the internet. */
  answer: 0.184e-6,
  /** An answer by the distribution, with its request and its function. */
  edgeAnswer: 1.274e-6,
  firewall: 0.6e-6,
} as const;

/** US dollars for an image, in us-west-2. */
const modelPrices: Readonly<Record<BedrockModelId, number>> = {
  'stability.stable-image-core-v1:1': 0.04,
  'stability.sd3-5-large-v1:0': 0.08,
  'stability.stable-image-ultra-v1:1': 0.14,
};

/** Assumptions on the safe side: billed milliseconds of functions, and calls of tables and bucket. */
type Usage = Readonly<Partial<Record<FunctionName | 'write' | 'read' | 'put' | 'get', number>>>;
const rendition: Usage = { renderer: 600, put: 1, get: 1 };
const requests = {
  'Refused: malformed key, or a limit known to be reached': { api: 2 },
  'Stock image, known': { api: 6, write: 1 },
  'Stock image, known, on a plan with analytics': { api: 6, write: 2 },
  'Stock image, known, first request of an instance': { authorizer: 350, api: 450, write: 1, read: 1.5 },
  'Stock image, new: provider request and rendition': { ...rendition, api: 1_500, write: 6, read: 2 },
  'AI image, made before': { api: 12, write: 1, read: 2 },
  'AI image, new, without its model': { ...rendition, api: 6e3, generator: 5e3, write: 11, read: 10, put: 2 },
} satisfies Readonly<Record<string, Usage>>;

const sumCosts = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);
const writeDollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** Adds up the dollars of one request, its logs included. */
export function computeCost(kind: keyof typeof requests): number {
  const used: Usage = { authorizer: 2, ...requests[kind] };
  const costs = Object.entries(used).map(([name, count]) => {
    if (name in prices) return count * prices[name as keyof typeof prices];
    const gigabytes = functionMemoryMb[name as FunctionName] / 1_024;
    return prices.invocation + gigabytes * count * prices.gigabyteMs;
  });
  return prices.call + sumCosts(costs);
}

/** Computes for each plan the price of all AI images of an account in a month. */
export const computeMonthOfImages = (model: BedrockModelId): Readonly<Record<string, number>> =>
  Object.fromEntries(
    planNames.map((plan) => [plan, defaultPlans[plan].generationsPerMonth * modelPrices[model]]),
  );

const monthPrices: Readonly<Record<string, (properties: Record<string, object[]>) => number>> = {
  'AWS::SecretsManager::Secret': () => 0.4,
  'AWS::CloudWatch::Alarm': ({ Metrics = [{ MetricStat: {} }] }) =>
    0.1 * Metrics.filter((metric) => 'MetricStat' in metric).length,
  'AWS::WAFv2::WebACL': ({ Rules = [] }) => 5 + Rules.length,
};

/** Adds up the dollars of a month without traffic, with some 40 metrics of the service's own. */
function computeIdleCost({ Resources }: Readonly<Record<string, unknown>>): number {
  const resources = Object.values(Resources as Record<string, { Type: string; Properties: never }>);
  return 40 * 0.3 + sumCosts(resources.map(({ Type, Properties }) => monthPrices[Type]?.(Properties) ?? 0));
}

export function writeCostSheet(templates: Readonly<Record<'dev' | 'prod', Record<string, unknown>>>): string {
  const idle = computeIdleCost(templates.prod);
  const request = computeCost('Stock image, known') + prices.firewall;
  const [plain, throughEdge] = [request + prices.answer, request * 0.2 + prices.edgeAnswer];
  const writeMonth = (count: number) => [plain, throughEdge].map((cost) => writeDollars(idle + count * cost));
  const models = Object.entries(modelPrices).map(([model, price]) => [
    ...[`\`${model}\``, writeDollars(price)],
    ...Object.values(computeMonthOfImages(model as BedrockModelId)).map(writeDollars),
  ]);
  const kinds = Object.keys(requests) as (keyof typeof requests)[];
  return `# Costs

Written by \`npm run synth\` from the list prices of 2026-11-21 in us-east-1, without free tiers. Replace prices and assumed durations in \`tools/review/cost-sheet.ts\` by those of your own bill and metrics.

## A million requests

${writeMarkdownTable({
  heads: ['Request, with its logs', 'Cost'],
  rows: kinds.map((kind) => [kind, writeDollars(computeCost(kind) * 1e6)]),
})}

Besides: ${writeDollars(prices.answer * 1e6)} for the bytes of answers, and ${writeDollars(prices.firewall * 1e6)} where the firewall is on, as in prod. With \`edge\`, requests that the cache answers cost ${writeDollars(prices.edgeAnswer * 1e6)}, and this is added to the price of all others. A million deliveries of an image of 250 KB by the distribution cost $21.75, and those by a provider nothing.

## AI images

The model's price of all \`generationsPerMonth\` of an account:

${writeMarkdownTable({ heads: ['Model', 'An image', ...planNames], rows: models })}

With a model that costs more than an account pays, lower \`generationsPerMonth\` in the setting \`plans\`.

## A month

Without traffic, prod costs ${writeDollars(idle)} a month and dev ${writeDollars(computeIdleCost(templates.dev))}, for metrics, secrets, alarms and the firewall, and $0.45 for each GB in tables. With known stock images in steady traffic, before AI images and delivery:

${writeMarkdownTable({
  heads: ['Requests', 'Without `edge`', 'With `edge`, 80 % from its cache'],
  rows: [1e4, 1e5, 1e6, 1e7].map((count) => [count.toLocaleString('en'), ...writeMonth(count)]),
})}
`;
}
