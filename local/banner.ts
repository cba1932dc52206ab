/** The text that the local service prints when it is ready. */

import { planNames } from '../lambda/contract/plans';
import { routes } from '../lambda/contract/routes';
import type { LocalOptions } from './options';
import type { LocalService } from './service';

/** The keys stand here and in the JSON line only, never in a log. */
export function banner(
  { url, keys, fakeProviders }: LocalService,
  { folder, isJson, bindings }: LocalOptions,
): string {
  if (isJson) return `Ready at ${url}\n`;
  const rows = planNames.flatMap((plan) => [
    `  ${plan.padEnd(11)}live  ${keys[plan].live}`,
    `  ${''.padEnd(11)}test  ${keys[plan].test}`,
  ]);
  const slots = Object.entries(bindings).map(([slot, provider]) => `${slot} ${provider}`);
  return [
    '',
    `  The image redirect service is ready:  ${url}`,
    '',
    '  Try it in another shell:',
    `    curl -i "${url}${routes.image}?query=mountain%20lake"`,
    `    curl -i -H "X-API-Key: ${keys.pro.live}" "${url}${routes.image}/800x600-city-night?provider=ai&style=minimal"`,
    '',
    '  Demo keys, one account a plan:',
    ...rows,
    '',
    `  Images: ${slots.join(', ')}${fakeProviders ? ' (local fake providers)' : ''}`,
    `  Data: ${folder === undefined ? 'in memory, gone at the end' : folder}.  Stop with Ctrl-C.`,
    '',
    '',
  ].join('\n');
}
