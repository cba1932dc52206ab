/** `image-redirect start`: runs the local service until a signal ends it. */

import { type Command, Option } from 'commander';
import { createCommand } from '../cli/command';
import { exitCodes } from '../cli/failure';
import {
  keyedProviders,
  keyVariableOf,
  type SlotBindings,
  stockProviders,
  stockSlots,
} from '../lambda/contract/providers';
import { defaultBindings, readBindings, readFolder, readPort } from './options';

interface StartOptions {
  readonly port: number;
  readonly memory?: boolean;
  readonly data: string;
  readonly bind: SlotBindings;
  readonly fakeProviders?: boolean;
  readonly edge?: boolean;
  readonly json?: boolean;
}

const more = `Providers that need an API key read it from the environment or from .env:
  ${keyedProviders.map(keyVariableOf).join(', ')}
PROVIDER_QUOTAS='{"unsplash":{"perHour":5000}}' replaces the documented limits of a provider.
"npm run providers" shows which provider answers for a slot, and whether it can.`;

export function start(): Command {
  const texts = {
    summary: 'Run the whole service on this machine: no AWS account, no Docker, no network.',
    examples: [
      'start --port 8080 --memory',
      'start --fake-providers --bind stock_a=unsplash,stock_b=pexels',
      'start --port 0 --memory --json',
    ],
    more,
  };
  return createCommand('start', texts, exitCodes.failed)
    .addOption(
      new Option('--port <N>', 'port of the service, 0 for any free one').argParser(readPort).default(3_000),
    )
    .addOption(new Option('--memory', 'keep all data in memory only').conflicts('data'))
    .addOption(
      new Option('--data <FOLDER>', 'folder for data and images').argParser(readFolder).default('.local'),
    )
    .addOption(
      new Option(
        '--bind <PAIRS>',
        `comma-separated slot=provider pairs; slots: ${stockSlots.join(', ')}; providers: ${stockProviders.join(', ')}`,
      )
        .argParser(readBindings)
        .default(defaultBindings, 'sandbox for all slots, which draws its images'),
    )
    .option(
      '--fake-providers',
      'start a local fake provider for each bound provider: no network, no API keys',
    )
    .option(
      '--edge',
      'put an emulated CloudFront distribution before the API, as the edge setting does in AWS',
    )
    .option('--json', 'print one line of JSON when the service is ready, for scripts')
    .action(async ({ port, memory, data, bind, fakeProviders, edge, json }: StartOptions) => {
      const { runService } = await import('./run-service');
      await runService({
        port,
        ...(memory ? {} : { folder: data }),
        isJson: json === true,
        hasFakeProviders: fakeProviders === true,
        bindings: bind,
        hasEdge: edge === true,
      });
    });
}
