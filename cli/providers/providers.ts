/** `image-redirect providers`: the operator's look at the stock providers. */

import type { Command } from 'commander';
import { createCommand } from '../command';
import { explained } from '../explain';
import { exitCodes } from '../failure';
import { createOutput } from '../output';
import { openService, type ServiceOptions, withServiceOptions } from '../service';

const more = `Exit codes:
  0 every slot can serve · 1 failed · 2 wrong usage · 3 no such stack
  5 service or AWS not reachable · 6 some slot cannot serve now`;

/** The command `providers`; it ends with 6 where a slot cannot serve. */
export function providers(): Command {
  const command = createCommand('providers', {
    summary: 'Show which provider answers for each stock slot, and whether it can.',
    details:
      'Checks the key and the remaining budget of each provider. Each provider is sent one small request, which counts in its budget.',
    examples: [
      'providers',
      'providers --stack ImageRedirect-prod --profile ops',
      "providers --no-check --json | jq '.slots[] | select(.serves | not)'",
    ],
    more,
  })
    .option('--no-check', 'send no request to the providers')
    .option('--relevance', 'send each provider eight usual queries and show how well its answers fit')
    .action(async (options: ServiceOptions & { readonly check: boolean; readonly relevance?: boolean }) => {
      // The SDK is loaded by what needs it only, so that help and refusals are quick.
      const { readConfiguration } = await import('./configuration');
      const { inspectSlots } = await import('./inspect');
      const { report } = await import('./report');
      const service = await openService(options);
      const { client, database, name, place, readSecret, howToSetKey } = service;
      try {
        const configuration = readConfiguration(service);
        const { quotaCounters: table } = service.tables;
        if (!table) throw service.lacks('stock providers');
        const deps = { configuration, database, table, readSecret };
        const looks = { isChecked: options.check, measuresRelevance: options.relevance === true };
        const slots = await explained({ ...place, tables: [table] }, () => inspectSlots(deps, looks));
        report(createOutput(process, options.json === true), name, slots, Date.now(), (provider) =>
          howToSetKey(provider, configuration.PROVIDER_SECRET_ID),
        );
        if (slots.some(({ serves }) => !serves)) process.exitCode = exitCodes.slotDown;
      } finally {
        client.destroy();
      }
    });
  return withServiceOptions(command);
}
