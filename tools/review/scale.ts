/** What ends first when requests grow, and what a month costs by its requests: two sections of the cost sheet. */

import { dollars, table } from '../markdown';
import { type BilledResources, monthlyCostOf } from './fixed-costs';
import { prices } from './prices';
import { answeredBytes, classes, costOf, edgeCost, startsOf, warmStock } from './request-costs';
import { logCost } from './request-logs';

/** Share of a page's requests that a distribution before the API answers from its cache: an assumption. */
const cachedShare = 0.8;

/** Dollars of one known stock image with all that belongs to it; without and with a distribution before the API. */
function requestCosts(): { readonly plain: number; readonly edge: number } {
  const warm = classes.find(({ name }) => name === warmStock);
  if (!warm) throw new Error(`There is no class ${warmStock}`);
  const api = costOf(warm) + logCost + startsOf() + prices.firewallRequest;
  const egress = (answeredBytes / 1024 ** 3) * prices.egressGigabyte;
  return { plain: api + egress, edge: edgeCost() + (1 - cachedShare) * api };
}

/** Markdown. @param prod what the template of prod has that is billed by the month */
export function scaleSections(prod: BilledResources): string {
  const { plain, edge } = requestCosts();
  const fixed = monthlyCostOf(prod);
  const months = [10_000, 100_000, 1_000_000, 10_000_000].map((requests) => [
    requests.toLocaleString('en'),
    dollars(fixed + requests * plain),
    dollars(fixed + requests * edge),
  ]);
  return `## A month, by its requests

Known stock images to steady traffic, with the fixed costs of prod, logs, cold starts, the firewall and what answers carry to the internet; AI images and delivery come on top.

${table(['Requests', 'Without `edge`', `With \`edge\`, ${cachedShare * 100} % from its cache`], months)}

A CloudFront distribution on a flat-rate plan ($0, $15 or $200 a month for 1, 10 or 125 million requests, firewall included) replaces its share of the last column; subscribe to it in the console, and see whether it takes key groups.

## What ends first

| What | Ends at | What lifts it |
|---|---|---|
| Lambda's executions | 5 requests a second for each: 50 with the 10 of a new account, 5,000 with 1,000 | quota L-B99A9384; \`doctor\` prints both numbers |
| a usage plan | 50 to 4,000 requests a second of all callers of a tier together | \`plans.*.perSecond\` |
| API Gateway | 10,000 requests a second of the account and region; 2,500 in some | quota L-8A5B8E43 |
| the counter of one account | 1,000 requests a second; eight times as many without a monthly limit | a plan without one |
| the table of counters | 4,000 writes a second when it is new, then twice its last peak | \`warmWrites\`; 40,000 is the quota of a table |
| a provider | what it grants, \`providerQuotas\` | another slot, photographs of your own |

100,000 requests a second of known images would take \`edge\` with nearly all of them answered from its cache; of keyed callers, 20,000 executions, ten accounts or regions of API Gateway, and three tables of counters.`;
}
