/** The cost sheet: what a million requests of each class and a thousand images cost, worked out from dated prices. */

import { renditionDays } from '../../lambda/contract/image-paths';
import { confirmedPrices, pricePages, prices, pricesReadOn } from './prices';

/** What one request of a class uses beside its call of the REST API. */
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

/** Billed durations of warm functions on arm64; assumptions, to be replaced by an operator's own measurements. */
const authorizer = { memoryMb: 512, billedMs: 2 };
const redirect = { memoryMb: 1_024, billedMs: 6 };
const renderer = { memoryMb: 3_008, billedMs: 600 };

/** One line of the access log and one metric, in bytes; the functions log nothing else about a success. */
const loggedBytes = 700;
const loggedByte = prices.loggedGigabyte / 1024 ** 3;

export const classes: readonly Usage[] = [
  {
    name: 'Malformed or invented key, or a limit that is known to be reached',
    functions: [authorizer, { ...redirect, billedMs: 2 }],
    writes: 0,
    reads: 0,
  },
  { name: 'Stock, image known, warm', functions: [authorizer, redirect], writes: 1, reads: 0 },
  {
    name: 'Stock, image known, nothing in memory',
    functions: [
      { ...authorizer, billedMs: 8 },
      { ...redirect, billedMs: 12 },
    ],
    writes: 1,
    reads: 1.5,
  },
  {
    name: 'Stock, provider asked, rendition made',
    functions: [authorizer, { ...redirect, billedMs: 1_500 }, renderer],
    writes: 6,
    reads: 2,
    puts: 1,
    gets: 1,
  },
  {
    name: 'AI, image exists, rendition exists',
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

/** Alarmed metrics by stage; an alarm on several metrics counts once for each. */
export const alarmMetrics = { dev: 16, prod: 23 } as const;

/**
 * Kilobytes, and so write units, of an account's usage item of a month: a counter of some 24 bytes for each day, source
 * and cache outcome that occurred. DynamoDB bills a write by the size of the whole item.
 */
export function usageItemKilobytes(day: number, sources: number): number {
  const ownBytes = 80;
  return Math.ceil((ownBytes + day * sources * 2 * 24) / 1_024);
}

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

/** What making one AI image uses beside the model: the request that waits, the generator, one rendition. */
const making: Usage = {
  name: 'AI, image made',
  functions: [authorizer, { ...redirect, billedMs: 6_000 }, { memoryMb: 1_024, billedMs: 5_000 }, renderer],
  writes: 8,
  reads: 8,
  puts: 2,
  gets: 1,
};

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

/** Columns that hold amounts stand to the right. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]) => {
  const line = head.map((_, i) => (rows.every((row) => row[i]?.startsWith('$')) ? '---:' : '---'));
  return [head, line, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
};

/** Markdown of `docs/cost.md`. */
export function costSheet(): string {
  const perMillion = classes.map((usage) => {
    const cost = costOf(usage);
    return [usage.name, dollars(cost * 1e6), dollars((cost + loggedBytes * loggedByte) * 1e6)];
  });
  const perThousand = Object.entries(prices.images).map(([model, price]) => [
    `\`${model}\``,
    dollars(price * 1_000),
    dollars(costOf(making) * 1_000),
    dollars((price + costOf(making)) * 1_000),
  ]);
  const imageMb = 0.25;
  const warm = classes.find(({ name }) => name === 'Stock, image known, warm') as Usage;
  const byPlan = (
    [
      ['anonymous, test, free', 0],
      ['pro, business, enterprise, on the first day of a month', usageItemKilobytes(1, 2)],
      ['the same in the middle of a month, two sources used', usageItemKilobytes(15, 2)],
      ['the same on its last day, all four sources used', usageItemKilobytes(31, 4)],
    ] as const
  ).map(([plan, more]) => [
    plan,
    String(1 + more),
    dollars(costOf({ ...warm, writes: warm.writes + more }) * 1e6),
  ]);
  const perRequestBesides = [
    [
      'Log lines',
      dollars(loggedBytes * loggedByte * 1e6),
      `${loggedBytes} bytes a request, in the table above`,
    ],
    [
      'Answers to the internet',
      dollars((answeredBytes / 1024 ** 3) * prices.egressGigabyte * 1e6),
      `${answeredBytes} bytes an answer`,
    ],
    [
      'Starts of instances (INIT)',
      dollars(startsOf() * 1e6),
      `${coldStartsPerThousand} of a thousand requests meet one in both functions`,
    ],
    [
      'Firewall',
      dollars(prices.firewallRequest * 1e6),
      'where it is on, as in prod unless it is switched off',
    ],
  ];
  const priceRows = Object.entries(pricePages).map(([name, service]) => [
    `\`${name}\``,
    `https://aws.amazon.com/${service}/pricing/`,
    confirmedPrices.includes(name) ? 'yes' : 'no',
  ]);
  const fixedCosts = [
    ['Secrets', dollars(2 * prices.secretMonth), 'two; a third, for provider keys, only where one is needed'],
    [
      'Alarms',
      dollars(alarmMetrics.prod * prices.alarmMetricMonth),
      `${alarmMetrics.prod} alarmed metrics in prod, ${alarmMetrics.dev} in dev`,
    ],
    ['Dashboard', dollars(prices.dashboardMonth), 'the first three of an account are free'],
    [
      'Tables',
      dollars(prices.tableGigabyteMonth + prices.recoveryGigabyteMonth),
      'for each GB, point-in-time recovery included; 100,000 AI images or cached lookups are about 0.1 GB',
    ],
    ['Own metrics', dollars(40 * prices.metricMonth), 'about forty combinations of dimensions that occur'],
    ['Firewall', dollars(prices.firewallMonth), 'in prod unless it is switched off; one list and one rule'],
  ];
  const delivered = imageMb * 1e6 * (prices.deliveredGigabyte / 1_024) + prices.cdnRequest * 1e6;
  return `# What it costs

Worked out by \`npm run synth\` from the list prices of ${pricesReadOn} for us-east-1, without free tiers and
discounts. The durations are assumptions for warm functions on arm64; replace them in
\`bin/review/cost-sheet.ts\` by what your own dashboard shows.

## Per million requests

${table(['Class of request', 'Cost', 'With logs'], perMillion)}

The call of the REST API alone is ${dollars(prices.restCall * 1e6)} of it. Preflights and methods that there are not are
answered by the gateway and cost that call alone.

Plans with analytics write a second item for each request. DynamoDB bills a write by the whole item, which grows with the
days of the month and the sources that were used:

${table(['Plan', 'Write units', 'A million known stock images, warm'], byPlan)}

What comes to each million besides:

${table(['What', 'Cost', 'Remark'], perRequestBesides)}

## Per thousand AI images

${table(['Model', 'Model alone', 'Everything else', 'Together'], perThousand)}

Asked for again, an image costs what the first table says of one that exists. A variation of an existing image is an image of its
own to the model, though free to the caller.

## Delivery

An image of ${imageMb * 1_000} KB that the service's own CDN delivers a million times costs
${dollars(delivered)}. Stock images that their provider crops
come from the provider and cost nothing here. A thousand stored images cost
${dollars(imageMb * prices.storedGigabyteMonth)} a month; renditions are removed after ${renditionDays} days and made again when they are asked for, masters stay.

## Per month, whatever the traffic

${table(['What', 'Cost', 'Remark'], fixedCosts)}

## Where the prices come from

Each was read on ${pricesReadOn} from the list below. Those that are not confirmed by a second source are to be compared
with their page before a decision rests on them.

${table(['Price in `bin/review/prices.ts`', 'Page', 'Confirmed'], priceRows)}
`;
}
