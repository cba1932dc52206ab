/** What a request of each class costs, the cost of a cold start and of the edge included, from dated prices. */

import { type FunctionName, functionMemoryMb } from '../../lambda/contract/functions';
import { defaultPlans, type Tier, tiers } from '../../lambda/contract/plans';
import { prices } from './prices';
import { logCost } from './request-logs';

/** The class that most requests are of. */
export const warmStock = 'Stock image, known, warm';

/** What one request of a class uses in addition to its call of the REST API. */
export interface Usage {
  readonly name: string;
  /** Milliseconds billed of each function, by its memory in MB. */
  readonly functions: readonly { readonly memoryMb: number; readonly billedMs: number }[];
  readonly writes: number;
  /** Strongly consistent reads; an eventually consistent one counts half. */
  readonly reads: number;
  readonly puts?: number;
  readonly gets?: number;
}

/** Billed durations of warm functions on arm64: assumptions, which an operator replaces with measured values. */
const authorizer = { memoryMb: functionMemoryMb.authorizer, billedMs: 2 };
const api = { memoryMb: functionMemoryMb.api, billedMs: 6 };
const renderer = { memoryMb: functionMemoryMb.renderer, billedMs: 600 };

/** What requests of each class use; the durations are assumptions. */
export const classes: readonly Usage[] = [
  {
    name: 'Malformed key, or limit known to be reached',
    functions: [authorizer, { ...api, billedMs: 2 }],
    writes: 0,
    reads: 0,
  },
  { name: warmStock, functions: [authorizer, api], writes: 1, reads: 0 },
  {
    name: 'Stock image, known, cold caches',
    functions: [
      { ...authorizer, billedMs: 8 },
      { ...api, billedMs: 12 },
    ],
    writes: 1,
    reads: 1.5,
  },
  {
    name: 'Stock image, new: provider request and rendition',
    functions: [authorizer, { ...api, billedMs: 1_500 }, renderer],
    writes: 6,
    reads: 2,
    puts: 1,
    gets: 1,
  },
  {
    name: 'AI image, existing rendition',
    functions: [authorizer, { ...api, billedMs: 12 }],
    writes: 1,
    reads: 2,
  },
];

/** What an answer carries out of the API, in bytes: a redirect with its headers and the record in its body. */
export const answeredBytes = 2_200;

/** A start of new instances: how many of a thousand requests meet one, and how long it is billed, as Lambda does INIT too. */
export const coldStartsPerThousand = 5;
const initMs = { authorizer: 350, api: 450 } as const satisfies Partial<Record<FunctionName, number>>;

/** Dollars of a function's duration. */
function durationCost({ memoryMb, billedMs }: Usage['functions'][number]): number {
  return (memoryMb / 1_024) * (billedMs / 1_000) * prices.gigabyteSecond;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Dollars that instances' starts add to a request. */
export function startsOf(): number {
  const perStart = (['authorizer', 'api'] as const).map((name) =>
    durationCost({ memoryMb: functionMemoryMb[name], billedMs: initMs[name] }),
  );
  return (coldStartsPerThousand / 1_000) * sum(perStart);
}

/** Dollars of one request of a class, the REST call included. */
export function costOf({ functions, writes, reads, puts = 0, gets = 0 }: Usage): number {
  return (
    prices.restCall +
    functions.length * prices.invocation +
    sum(functions.map(durationCost)) +
    writes * prices.write +
    reads * prices.read +
    puts * prices.put +
    gets * prices.get
  );
}

/** Dollars of one request that the CloudFront distribution before the API takes, whether its cache or the API answers. */
export function edgeCost(): number {
  return prices.cdnRequest + prices.edgeFunction + (answeredBytes / 1024 ** 3) * prices.deliveredGigabyte;
}

/** What generating one AI image uses in addition to the model: the waiting request, the generator, and one rendition. */
export const generating: Usage = {
  name: 'AI image, new',
  functions: [
    authorizer,
    { ...api, billedMs: 6_000 },
    { memoryMb: functionMemoryMb.generator, billedMs: 5_000 },
    renderer,
  ],
  writes: 11,
  reads: 10,
  puts: 2,
  gets: 1,
};

/** What a million known stock images may cost a plan, logs included, in dollars. */
export const planCostMax = 4.8;
/** The same of a plan whose usage is broken down, which is a write more. */
export const planCostMaxWithUsage = 5.45;

interface PlanCost {
  readonly tier: Tier;
  /** Write units of a request: the charge, and that of the usage of plans with analytics. */
  readonly writes: number;
  /** Dollars of a million known stock images, warm, without and with their logs. */
  readonly perMillion: number;
  readonly perMillionLogged: number;
  /** What the latter may be. */
  readonly mostPerMillion: number;
}

/** What a known stock image costs each plan in steady traffic. */
export const planCosts: readonly PlanCost[] = tiers.map((tier) => {
  const warm = classes.find(({ name }) => name === warmStock) as Usage;
  const hasAnalytics =
    tier in defaultPlans && defaultPlans[tier as keyof typeof defaultPlans].analytics !== 'totals';
  const writes = warm.writes + (hasAnalytics ? 1 : 0);
  const cost = costOf({ ...warm, writes });
  return {
    tier,
    writes,
    perMillion: cost * 1e6,
    perMillionLogged: (cost + logCost) * 1e6,
    mostPerMillion: hasAnalytics ? planCostMaxWithUsage : planCostMax,
  };
});
