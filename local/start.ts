/** `image-redirect start`: it runs the local service until a signal ends it. */

import { type Command, Option } from 'commander';
import { createCommand, createNumberParser } from '../cli/command';
import { createUsageFailure } from '../cli/failure';
import { anonymousRequestsPerHour, unlimitedRequests } from '../lambda/contract/plans';
import {
  findDeliveryFault,
  keyedProviders,
  nameKeyVariable,
  type SlotBindings,
  type StockProviderName,
  type StockSlot,
  stockProviders,
  stockSlots,
} from '../lambda/contract/providers';
import { aiLabels, imageDeliveries } from '../lambda/contract/settings';
import type { LocalOptions } from './environment';

const examples = [
  'start --photos',
  'start --port 8080 --memory',
  'start --fake-providers --bind stock_a=unsplash,stock_b=pexels',
  'start --port 0 --memory --json',
];

const footer = `Providers that need an API key read it from the environment or from .env:
  ${keyedProviders.map(nameKeyVariable).join(', ')}
OPENVERSE_KEY='{"client_id":"…","client_secret":"…"}' raises the limits of Openverse.
PROVIDER_QUOTAS='{"unsplash":{"perHour":5000}}' replaces the documented limits of a provider.
"npm run image-redirect -- providers" shows which provider answers for a slot, and whether it can.`;

const choices = `slots: ${stockSlots.join(', ')}; providers: ${stockProviders.join(', ')}`;

/** Creates the command `start`. */
export function buildCommand(summary: string): Command {
  const start = createCommand('start', { summary, examples, footer });
  for (const option of listOptions()) start.addOption(option);
  return start.action(async ({ memory, data, ...options }: LocalOptions & { readonly memory?: true }) => {
    const bind = chooseBindings(options);
    const fault = findDeliveryFault(options.imageDelivery, bind);
    if (fault !== undefined) throw createUsageFailure(fault);
    const { runService } = await import('./run-service');
    await runService({ ...options, bind, data: memory ? undefined : data });
  });
}

function listOptions(): readonly Option[] {
  return [
    new Option('--port <N>', 'port of the service, 0 for any free one')
      .argParser(createNumberParser('--port', 0, 65_535))
      .default(3_000),
    new Option('--memory', 'keep all data in memory only').conflicts('data'),
    new Option('--data <FOLDER>', 'folder for data and images').default('.local'),
    new Option(
      '--photos',
      'show real photos of Openverse and Wikimedia Commons, which ask for no key; drawings without a network',
    ),
    new Option('--bind <PAIRS>', `comma-separated slot=provider pairs; ${choices}`)
      .argParser(parseBindings)
      .default({}, 'sandbox for all slots, which draws its images'),
    new Option('--fake-providers', 'start a local fake provider for each bound one: no network, no API keys'),
    new Option(
      '--library <FOLDER>',
      'add the photographs of this folder at the start; stock_a shows them unless --bind says otherwise',
    ),
    new Option(
      '--anonymous-per-hour <N|off>',
      `requests per hour without a key, or off; ${anonymousRequestsPerHour} where the service is deployed`,
    )
      .argParser(parseHourlyLimit)
      .default(unlimitedRequests, 'off: no limit of any kind'),
    new Option('--content-credentials <WHICH>', 'sign AI images (C2PA) with a key of this service, or none')
      .choices(['self', 'off'])
      .default('self'),
    new Option('--image-delivery <HOSTS>', 'redirect to providers that crop, or to this service alone')
      .choices(imageDeliveries)
      .default(imageDeliveries[0]),
    new Option('--ai-label <WHERE>', 'a mark in each AI image that says that it is one')
      .choices(aiLabels)
      .default(aiLabels[0]),
    new Option('--json', 'print one line of JSON when the service is ready, for scripts'),
    new Option(
      '--json-logs',
      'log the JSON of the functions, metrics included, in place of a line a request',
    ),
    new Option(
      '--for-sam',
      'let functions of "sam local" use the tables and images, by the file env.sam.json',
    ),
  ];
}

/** The default bindings need no network, because the sandbox draws its images. */
const defaultBindings: SlotBindings = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' };

/** The bindings of `--photos` need no key. `lib/stage-settings.ts` says why a stage has others. */
const photoBindings: SlotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'openverse' };

/** Binds each slot to a provider. `--bind` wins over `--library`, then `--photos`, then the sandbox. */
export function chooseBindings({
  photos,
  library,
  bind,
}: Pick<LocalOptions, 'photos' | 'library'> & { bind: Partial<SlotBindings> }): SlotBindings {
  const librarySlot = library === undefined ? {} : ({ stock_a: 'library' } as const);
  return { ...(photos ? photoBindings : defaultBindings), ...librarySlot, ...bind };
}

const parseHourlyLimit = (text: string) =>
  text === 'off'
    ? unlimitedRequests
    : createNumberParser('--anonymous-per-hour', 1, unlimitedRequests - 1)(text);

/** Parses comma-separated `slot=provider` pairs, and adds them to earlier bindings. @throws `Failure` */
function parseBindings(text: string, earlierBindings: Partial<SlotBindings>): Partial<SlotBindings> {
  const bindings: Partial<Record<StockSlot, StockProviderName>> = { ...earlierBindings };
  for (const pair of text.split(',').filter((part) => part !== '')) {
    const [slot, provider] = pair.split('=').map((part) => part.trim());
    if (!stockSlots.includes(slot as StockSlot) || !stockProviders.includes(provider as StockProviderName))
      throw createUsageFailure(`--bind takes slot=provider pairs, not "${pair}"; ${choices}.`);
    bindings[slot as StockSlot] = provider as StockProviderName;
  }
  return bindings;
}
