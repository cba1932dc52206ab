/** The cost sheet: the cost of a million requests of each class and of a thousand images, calculated from dated prices. */

import { functionMemoryMb } from '../../lambda/contract/functions';
import { prices, pricesReadOn } from './prices';

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

/** One line of the access log and one metric, in bytes; the functions log nothing else about a success. */
const loggedBytes = 700;
const loggedByte = prices.loggedGigabyte / 1024 ** 3;

export const classes: readonly Usage[] = [
  {
    name: 'Malformed key, or limit known to be reached',
    functions: [authorizer, { ...redirect, billedMs: 2 }],
    writes: 0,
    reads: 0,
  },
  { name: 'Stock image, known, warm', functions: [authorizer, redirect], writes: 1, reads: 0 },
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

/** What generating one AI image uses in addition to the model: the waiting request, the generator, one rendition. */
const generating: Usage = {
  name: 'AI image, new',
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

/** A Markdown table; columns of amounts are right-aligned. */
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
    dollars(costOf(generating) * 1_000),
    dollars((price + costOf(generating)) * 1_000),
  ]);
  const imageMb = 0.25;
  const fixedCosts = [
    ['Secrets', dollars(2 * prices.secretMonth), 'two, and a third if a provider or generator needs a key'],
    ['Alarms', dollars(6 * prices.alarmMetricMonth), 'six in dev; in prod, canaries add one per function'],
    ['Custom metrics', dollars(40 * prices.metricMonth), 'about 40 combinations of dimensions'],
    [
      'Firewall (optional)',
      dollars(prices.firewallMonth),
      `plus ${dollars(prices.firewallRequest * 1e6)} per million requests`,
    ],
  ];
  const delivered = imageMb * 1e6 * (prices.deliveredGigabyte / 1_024) + prices.cdnRequest * 1e6;
  return `# Costs

Calculated by \`npm run synth\` from the list prices of ${pricesReadOn} in us-east-1, without free tiers and discounts.
The durations are assumptions for warm functions on arm64. Replace them in \`bin/review/cost-sheet.ts\` with the values
of your own dashboard.

## Per million requests

${table(['Request', 'Cost', 'Including logs'], perMillion)}

Of this, the call of the REST API costs ${dollars(prices.restCall * 1e6)}.

## Per thousand AI images

${table(['Model', 'Model cost', 'Service', 'Total'], perThousand)}

Further requests for an existing image cost what the first table states. A variation of an existing image is free for the
caller, but costs as much to generate as any other image.

## Delivery

Delivering an image of ${imageMb * 1_000} KB a million times from the service's CDN costs ${dollars(delivered)}. Stock images that are
cropped by their provider are delivered by the provider at no cost. Storing a thousand images costs
${dollars(imageMb * prices.storedGigabyteMonth)} per month.

## Fixed costs per month

${table(['Item', 'Cost', 'Notes'], fixedCosts)}
`;
}
