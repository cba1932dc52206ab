/** The cost sheet: the cost of a million requests of each class and of a thousand images, calculated from dated prices. */

import { functionMemoryMb } from '../../lambda/contract/functions';
import { renditionDays } from '../../lambda/contract/image-paths';
import { defaultPlans, type Tier, tiers } from '../../lambda/contract/plans';
import { waitingMax, waitingShare } from '../../lambda/usecases/usage/record-usage';
import { fixedCosts } from './fixed-costs';
import { dollars, table } from './markdown';
import { priceSources } from './price-sources';
import { prices, pricesReadOn } from './prices';
import { logCost, loggedText } from './request-logs';

/** The class that most requests are of. */
const warmStock = 'Stock image, known, warm';

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
const redirect = { memoryMb: functionMemoryMb.redirect, billedMs: 6 };
const renderer = { memoryMb: functionMemoryMb.renderer, billedMs: 600 };

export const classes: readonly Usage[] = [
  {
    name: 'Malformed key, or limit known to be reached',
    functions: [authorizer, { ...redirect, billedMs: 2 }],
    writes: 0,
    reads: 0,
  },
  { name: warmStock, functions: [authorizer, redirect], writes: 1, reads: 0 },
  {
    name: 'Stock image, known, cold caches',
    functions: [
      { ...authorizer, billedMs: 8 },
      { ...redirect, billedMs: 12 },
    ],
    writes: 1,
    reads: 1.5,
  },
  {
    name: 'Stock image, new: provider request and rendition',
    functions: [authorizer, { ...redirect, billedMs: 1_500 }, renderer],
    writes: 6,
    reads: 2,
    puts: 1,
    gets: 1,
  },
  {
    name: 'AI image, existing rendition',
    functions: [authorizer, { ...redirect, billedMs: 12 }],
    writes: 1,
    reads: 2,
  },
];

/** What an answer carries out of the API, in bytes: a redirect with its headers and the record in its body. */
const answeredBytes = 2_200;

/** A start of new instances: how many of a thousand requests meet one, and how long it is billed, as Lambda does INIT too. */
const coldStartsPerThousand = 5;
const initMs = { authorizer: 350, redirect: 450 } as const;

/** Write units of usage per request: each by itself, or as many together as an instance writes at once in steady traffic. */
export const usageWrites = { single: 1, together: 1 / waitingMax } as const;

/** Dollars that instances' starts add to a request. */
function startsOf(): number {
  const gigabyteSeconds = (0.5 * initMs.authorizer + 1 * initMs.redirect) / 1_000;
  return (coldStartsPerThousand / 1_000) * gigabyteSeconds * prices.gigabyteSecond;
}

/** Dollars of one request of a class, the REST call included. */
export function costOf({ functions, writes, reads, puts = 0, gets = 0 }: Usage): number {
  const durations = functions.map(({ memoryMb, billedMs }) => (memoryMb / 1_024) * (billedMs / 1_000));
  return (
    prices.restCall +
    functions.length * prices.invocation +
    durations.reduce((sum, gigabyteSeconds) => sum + gigabyteSeconds * prices.gigabyteSecond, 0) +
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

/** What generating one AI image uses in addition to the model: the waiting request, the generator, one rendition, and the sweeper that closes its reservation. */
const generating: Usage = {
  name: 'AI image, new',
  functions: [
    authorizer,
    { ...redirect, billedMs: 6_000 },
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

export interface PlanCost {
  readonly tier: Tier;
  /** Write units of a request: the charge, and the share of a usage write of plans with analytics. */
  readonly writes: number;
  /** Dollars of a million known stock images, warm, without and with their logs. */
  readonly perMillion: number;
  readonly perMillionLogged: number;
}

/** What a known stock image costs each plan in steady traffic. */
export const planCosts: readonly PlanCost[] = tiers.map((tier) => {
  const warm = classes.find(({ name }) => name === warmStock) as Usage;
  const hasAnalytics =
    tier in defaultPlans && defaultPlans[tier as keyof typeof defaultPlans].analytics !== 'totals';
  const writes = warm.writes + (hasAnalytics ? usageWrites.together : 0);
  const cost = costOf({ ...warm, writes });
  return { tier, writes, perMillion: cost * 1e6, perMillionLogged: (cost + logCost) * 1e6 };
});

/** Markdown of `docs/cost.md`. */
export function costSheet(): string {
  const perMillion = classes.map((usage) => {
    const cost = costOf(usage);
    return [usage.name, dollars(cost * 1e6), dollars((cost + logCost) * 1e6)];
  });
  const perThousand = Object.entries(prices.images).map(([model, price]) => [
    `\`${model}\``,
    dollars(price * 1_000),
    dollars(costOf(generating) * 1_000),
    dollars((price + costOf(generating)) * 1_000),
  ]);
  const imageMb = 0.25;
  const warm = classes.find(({ name }) => name === warmStock) as Usage;
  const byPlan = planCosts.map(({ tier, writes, perMillion, perMillionLogged }) => [
    tier,
    writes.toFixed(2),
    dollars(perMillion),
    dollars(perMillionLogged),
    perMillionLogged <= planCostMax ? 'yes' : 'NO',
  ]);
  const byTraffic = (
    [
      ['steady traffic', usageWrites.together],
      ['single requests', usageWrites.single],
    ] as const
  ).map(([traffic, more]) => {
    const writes = warm.writes + more;
    return [traffic, writes.toFixed(2), dollars((costOf({ ...warm, writes }) + logCost) * 1e6)];
  });
  const perRequestBesides = [
    ['Logs', dollars(logCost * 1e6), `${loggedText}; included in the tables above`],
    [
      'Responses to the internet',
      dollars((answeredBytes / 1024 ** 3) * prices.egressGigabyte * 1e6),
      `${answeredBytes} bytes per response`,
    ],
    [
      'Cold starts (INIT)',
      dollars(startsOf() * 1e6),
      `${coldStartsPerThousand} of a thousand requests, in both functions`,
    ],
    ['Firewall', dollars(prices.firewallRequest * 1e6), 'on in prod by default'],
  ];
  const edge = edgeCost();
  const behindEdge = [
    ['Answered from its cache', dollars(edge * 1e6), 'no function, no database call'],
    [
      'Passed on to the API',
      dollars((edge + costOf(warm)) * 1e6),
      'a known stock image, warm; responses of the API to CloudFront cost nothing',
    ],
  ];
  const delivered = imageMb * 1e6 * (prices.deliveredGigabyte / 1_024) + prices.cdnRequest * 1e6;
  return `# Costs

Calculated by \`npm run synth\` from the list prices of ${pricesReadOn} in us-east-1, without free tiers and discounts.
The durations are assumptions for warm functions on arm64. Replace them in \`bin/review/cost-sheet.ts\` with the values
of your own dashboard.

## Per million requests

${table(['Request', 'Cost', 'Including logs'], perMillion)}

Of this, the call of the REST API costs ${dollars(prices.restCall * 1e6)}. The gateway itself answers preflights and methods
that a route does not have, which cost that call alone.

A million known stock images, warm, by plan, in steady traffic. With their logs they are to cost at most ${dollars(planCostMax)}:

${table(['Plan', 'Write units', 'Cost', 'Including logs', `At most ${dollars(planCostMax)}`], byPlan)}

Plans with analytics also write usage: an item of less than 1 KB for each key and day, whatever the month holds. An
instance writes its first ${2 * waitingShare - 1} requests of a key and day one by one, then more and more of them together, up to
${waitingMax} in steady traffic, which the table above states:

${table(['Pro, business, enterprise', 'Write units', 'Including logs'], byTraffic)}

Additional costs per million requests:

${table(['Item', 'Cost', 'Notes'], perRequestBesides)}

## With the \`edge\` setting, per million requests

${table(['Request', 'Cost', 'Notes'], behindEdge)}

The distribution pays off when more than ${Math.ceil((edge / costOf(warm)) * 100)} % of the requests are answered from its cache: those with signed URLs, site
keys, placeholders and pages. Requests with keys always reach the API. Per month, the distribution adds a secret
(${dollars(prices.secretMonth)}) and, where the firewall is on, a second rule (${dollars(prices.firewallRuleMonth)}).

## Per thousand AI images

${table(['Model', 'Model cost', 'Service', 'Total'], perThousand)}

Further requests for an existing image cost what the first table states. A variation of an existing image is free for the
caller, but costs as much to generate as any other image.

## Delivery

Delivering an image of ${imageMb * 1_000} KB a million times from the service's CDN costs ${dollars(delivered)}. Stock images that are
cropped by their provider are delivered by the provider at no cost. Storing a thousand images costs
${dollars(imageMb * prices.storedGigabyteMonth)} per month. Renditions are removed after ${renditionDays} days and made again on request; masters are kept.

${fixedCosts()}

${priceSources()}
`;
}
