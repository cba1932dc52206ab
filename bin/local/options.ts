/** What the local service is told on its command line. */

import { parseArgs } from 'node:util';
import {
  keyedProviders,
  keyVariableOf,
  type StockProviderName,
  type StockSlot,
  stockProviders,
  stockSlots,
} from '../../lambda/contract/providers';

export interface LocalOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Folder of data and images; absent for a service that forgets everything at its end. */
  readonly folder?: string;
  /** Whether stdout gets one line of JSON instead of nothing, for scripts. */
  readonly isJson: boolean;
  readonly hasFakeProviders: boolean;
  readonly bindings: Readonly<Record<StockSlot, StockProviderName>>;
  readonly wantsHelp: boolean;
}

/** A mistake on the command line, in words for the one who made it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Runs the whole service on this machine: no account, no Docker, no network.

  npm start -- [options]

  --port N          port of the service, 0 for any free one   (default 3000)
  --memory          keep nothing: all data is gone at the end (default: kept in .local/)
  --data FOLDER     keep data and images in another folder
  --bind S=P,…      which provider answers for a slot, for example stock_a=openverse
                    slots: ${stockSlots.join(', ')}
                    providers: ${stockProviders.join(', ')}
                    (default: sandbox for all, which draws by itself)
  --fake-providers           let local fake providers answer for the bound providers, without a network
  --json            print one line of JSON when ready, for scripts
  --help            show this

  Providers that need a key find it in the environment or in .env: ${keyedProviders.map(keyVariableOf).join(', ')}.
  PROVIDER_QUOTAS='{"unsplash":{"perHour":5000}}' replaces the limits that a provider documents.
  "npm run providers" shows which provider answers for a slot, and whether it can.
`;

/** @throws `UsageError` */
export function readOptions(args: readonly string[]): LocalOptions {
  const { values } = parse(args);
  if (values.memory && values.data !== undefined)
    throw new UsageError('--memory and --data exclude each other.');
  return {
    port: readPort(values.port),
    ...(values.memory ? {} : { folder: values.data ?? '.local' }),
    isJson: values.json,
    hasFakeProviders: values['fake-providers'],
    bindings: readBindings(values.bind),
    wantsHelp: values.help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        memory: { type: 'boolean', default: false },
        data: { type: 'string' },
        bind: { type: 'string', default: '' },
        'fake-providers': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('. To specify');
    throw new UsageError(`${line.replace(/\.$/, '')}. See npm start -- --help.`);
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError('--port takes a whole number from 0 to 65535.');
  return port;
}

function readBindings(text: string): Readonly<Record<StockSlot, StockProviderName>> {
  const bindings: Record<StockSlot, StockProviderName> = {
    stock_a: 'sandbox',
    stock_b: 'sandbox',
    stock_c: 'sandbox',
  };
  for (const pair of text.split(',').filter((part) => part !== '')) {
    const [slot, provider] = pair.split('=').map((part) => part.trim());
    if (!stockSlots.includes(slot as StockSlot) || !stockProviders.includes(provider as StockProviderName)) {
      throw new UsageError(
        `--bind takes slot=provider pairs of ${stockSlots.join(', ')} and ${stockProviders.join(', ')}, not "${pair}".`,
      );
    }
    bindings[slot as StockSlot] = provider as StockProviderName;
  }
  return bindings;
}
