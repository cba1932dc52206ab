/** The cost sheet: the cost of a million requests of each class, of a thousand images and of a month, as Markdown. */

import { renditionDays } from '../../lambda/contract/image-paths';
import type { StageName } from '../../lib/stage-settings';
import { dollars, table } from '../markdown';
import { type BilledResources, fixedCosts } from './fixed-costs';
import { generationCosts } from './generation-costs';
import { priceSources, prices, pricesReadOn } from './prices';
import {
  answeredBytes,
  classes,
  coldStartsPerThousand,
  costOf,
  edgeCost,
  generating,
  planCosts,
  startsOf,
  type Usage,
  warmStock,
} from './request-costs';
import { logCost, loggedText } from './request-logs';
import { scaleSections } from './scale';

/** Markdown of `docs/cost.md`. @param billed what the template of each stage has */
export function costSheet(billed: Readonly<Record<StageName, BilledResources>>): string {
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
  const byPlan = planCosts.map(({ tier, writes, perMillion, perMillionLogged, mostPerMillion }) => [
    tier,
    writes.toFixed(2),
    dollars(perMillion),
    dollars(perMillionLogged),
    `${dollars(mostPerMillion)}: ${perMillionLogged <= mostPerMillion ? 'yes' : 'NO'}`,
  ]);
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
  const egress = (answeredBytes / 1024 ** 3) * prices.egressGigabyte;
  /** Per cent of requests that the cache has to answer: what the edge adds to each, by what the API takes for one. */
  const breakEven = (firewall: number) =>
    Math.ceil(((edge - egress) / (costOf(warm) + logCost + firewall)) * 100);
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
The durations are assumptions for warm functions on arm64. Replace them in \`tools/review/request-costs.ts\` with the values
of your own metrics.

## Per million requests

${table(['Request', 'Cost', 'Including logs'], perMillion)}

Of this, the call of the REST API costs ${dollars(prices.restCall * 1e6)}. Preflights and refusals take
the same two functions for a millisecond each.

A million known stock images, warm, by plan, and what they may cost with their logs:

${table(['Plan', 'Write units', 'Cost', 'Including logs', 'At most'], byPlan)}

Plans with analytics also write usage: one addition to an item of the account's day, usually of less than 1 KB.

Additional costs per million requests:

${table(['Item', 'Cost', 'Notes'], perRequestBesides)}

## With the \`edge\` setting, per million requests

${table(['Request', 'Cost', 'Notes'], behindEdge)}

The distribution pays off when more than ${breakEven(prices.firewallRequest)} % of the requests are answered from its cache (${breakEven(0)} % without the firewall): those
with signed URLs, site keys and pages. This counts logs, the firewall and what answers cost on their way to the
internet, which a distribution carries instead of the API. Requests with keys always reach the API. Where the firewall is on,
the distribution adds two rules (${dollars(2 * prices.firewallRuleMonth)} a month).

## Per thousand AI images

${table(['Model', 'Model cost', 'Service', 'Total'], perThousand)}

Further requests for an existing image cost what the first table states. A variation of an existing image is free for the
caller, but costs as much to generate as any other image.

${generationCosts()}

## Delivery

Delivering an image of ${imageMb * 1_000} KB a million times from the service's CDN costs ${dollars(delivered)}. Stock images that are
cropped by their provider are delivered by the provider at no cost. Storing a thousand images costs
${dollars(imageMb * prices.storedGigabyteMonth)} per month. Renditions are removed after ${renditionDays} days and made again on request; masters are kept.

${fixedCosts(billed)}

${scaleSections(billed.prod)}

${priceSources()}
`;
}
