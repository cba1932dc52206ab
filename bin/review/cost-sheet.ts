/** The cost sheet: what a million requests of each class and a thousand images cost, worked out from dated prices. */

import { functionMemoryMb } from '../../lambda/contract/functions';
import { prices, pricesReadOn } from './prices';

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
const authorizer = { memoryMb: functionMemoryMb.authorizer, billedMs: 2 };
const redirect = { memoryMb: functionMemoryMb.redirect, billedMs: 6 };
const renderer = { memoryMb: functionMemoryMb.renderer, billedMs: 600 };

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
  functions: [
    authorizer,
    { ...redirect, billedMs: 6_000 },
    { memoryMb: functionMemoryMb.generator, billedMs: 5_000 },
    renderer,
  ],
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
  const fixedCosts = [
    ['Secrets', dollars(2 * prices.secretMonth), 'two; a third, for provider keys, only where one is needed'],
    [
      'Alarms',
      dollars(6 * prices.alarmMetricMonth),
      'six in dev; canaries in prod add one for each function',
    ],
    ['Own metrics', dollars(40 * prices.metricMonth), 'about forty combinations of dimensions that occur'],
    [
      'Firewall, optional',
      dollars(prices.firewallMonth),
      `and ${dollars(prices.firewallRequest * 1e6)} per million requests`,
    ],
  ];
  const delivered = imageMb * 1e6 * (prices.deliveredGigabyte / 1_024) + prices.cdnRequest * 1e6;
  return `# What it costs

Worked out by \`npm run synth\` from the list prices of ${pricesReadOn} for us-east-1, without free tiers and
discounts. The durations are assumptions for warm functions on arm64; replace them in
\`bin/review/cost-sheet.ts\` by what your own dashboard shows.

## Per million requests

${table(['Class of request', 'Cost', 'With logs'], perMillion)}

The call of the REST API alone is ${dollars(prices.restCall * 1e6)} of it.

## Per thousand AI images

${table(['Model', 'Model alone', 'Everything else', 'Together'], perThousand)}

Asked for again, an image costs what the first table says of one that exists. A variation of an existing image is an image of its
own to the model, though free to the caller.

## Delivery

An image of ${imageMb * 1_000} KB that the service's own CDN delivers a million times costs
${dollars(delivered)}. Stock images that their provider crops
come from the provider and cost nothing here. A thousand stored images cost
${dollars(imageMb * prices.storedGigabyteMonth)} a month.

## Per month, whatever the traffic

${table(['What', 'Cost', 'Remark'], fixedCosts)}
`;
}
