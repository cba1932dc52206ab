/** The section of the cost sheet that says where each price comes from. */

import { table } from './markdown';
import { confirmedPrices, pricePages, pricesReadOn, readOnOtherDays } from './prices';

/** Markdown: each price with its page, its date and whether a second source confirmed it. */
export function priceSources(): string {
  const rows = Object.entries(pricePages).map(([name, service]) => [
    `\`${name}\``,
    `https://aws.amazon.com/${service}/pricing/`,
    readOnOtherDays[name] ?? pricesReadOn,
    confirmedPrices.includes(name) ? 'yes' : 'no',
  ]);
  return `## Sources of the prices

Compare the prices that a second source did not confirm with their page before you rely on them.

${table(['Price in `tools/review/prices.ts`', 'Page', 'Read on', 'Confirmed'], rows)}`;
}
