/** The stock side of the image function, as a test scripts it. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ServedImage } from '../../lambda/images/image';
import type { SearchOutcome } from '../../lambda/stock/search/search';
import type { SearchCaller } from '../../lambda/stock/search/search-caller';
import { emptyStockMemory } from '../../lambda/stock/stock-services';
import { createFakeLimits, type FakeLimits } from './limits';
import { databaseOf } from './memory-dynamodb';
import './uncached';
import { anImage } from './stock';
import type { ScriptedServices } from './uncached';

export interface FakeStock extends ScriptedServices {
  /** The calls, in order: the look for a kept answer, and the search for an image. */
  readonly calls: readonly ('cached' | 'find')[];
  /** Uses that were handed over to be reported, by their owners. */
  readonly used: readonly string[];
  /** Sets what is kept: nothing, an image, or a promise that a test settles. */
  knows(answer: ServedImage | undefined | Promise<ServedImage | undefined>): void;
  /** Sets what is found, or how; an `Error` is thrown. */
  finds(answer: SearchOutcome | Error | ((caller: SearchCaller) => Promise<SearchOutcome>)): void;
}

/**
 * @param limits what its requests are counted in; its clock stands still before any deadline unless they have
 * another
 */
export function createFakeStock(limits: FakeLimits = createFakeLimits({ nowMs: () => 0 })): FakeStock {
  const calls: ('cached' | 'find')[] = [];
  const used: string[] = [];
  let cached: ServedImage | undefined | Promise<ServedImage | undefined>;
  let found: Parameters<FakeStock['finds']>[0] = { outcome: 'found', image: anImage, cache: 'MISS' };
  const { services } = limits;
  const send = async (command: unknown) => {
    const isAnswer = command instanceof GetCommand && String(command.input.Key?.['pk']).startsWith('ANSWER#');
    if (!isAnswer) return services.database.client.send(command as GetCommand);
    calls.push('cached');
    const image = await cached;
    const value = { image, provider: 'openverse', endsMs: Number.MAX_SAFE_INTEGER };
    return image ? { Item: { value: JSON.stringify(value) } } : {};
  };
  const forgetful = { get: () => undefined, set: () => undefined, delete: () => undefined };
  return {
    ...services,
    calls,
    used,
    database: databaseOf(send),
    stockMemory: { ...emptyStockMemory(), answers: forgetful },
    stockSettings: {
      bindings: { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'sandbox' },
      imageDelivery: 'provider',
      imageBaseUrl: 'https://images.example.org',
      endpoints: {},
    },
    knows: (answer) => {
      cached = answer;
    },
    finds: (answer) => {
      found = answer;
    },
    scripted: {
      async findImage(_, __, caller) {
        calls.push('find');
        if (found instanceof Error) throw found;
        return typeof found === 'function' ? found(caller) : found;
      },
      reportUse: async (_, owner) => void used.push(owner),
    },
  } as Partial<FakeStock> as FakeStock;
}
