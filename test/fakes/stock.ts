/** The stock side of a use case, as a test scripts it. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Placeholder, ServedImage } from '../../lambda/images/image';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { FoundImage } from '../../lambda/stock/found';
import type { SearchCaller } from '../../lambda/stock/search-caller';
import type { ServeStockServices } from '../../lambda/stock/serve-stock';
import { emptyStockMemory } from '../../lambda/stock/stock-services';
import { deliveryUrl } from './branded';
import { createFakeLimits, databaseOf, type FakeLimits } from './limits';

export interface FakeStock extends ServeStockServices {
  /** What was called, in order: the look for a kept answer, and the search for an image. */
  readonly calls: readonly ('cached' | 'find')[];
  /** Uses that were handed over to be reported, by their owners. */
  readonly used: readonly string[];
  /** What is kept: nothing, an image, or a promise that a test settles. */
  knows(answer: ServedImage | undefined | Promise<ServedImage | undefined>): void;
  /** What is found, or how; an `Error` is thrown. */
  finds(answer: FoundImage | Error | ((caller: SearchCaller) => Promise<FoundImage>)): void;
}

/** An image that nothing is wrong with. */
export const anImage: ServedImage = {
  location: deliveryUrl('https://images.example.org/stock/1-1920x1080.jpg'),
  widthPx: 1920,
  heightPx: 1080,
  source: 'stock_a',
  attribution: {
    providerName: 'Openverse',
    creator: 'Zoë Müller',
    creatorUrl: 'https://example.org/zoe',
    landingUrl: 'https://example.org/zoe/1',
    license: { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    creditLine: '“Lake” by Zoë Müller, CC BY 4.0',
  },
};

/** A placeholder of a form that every reader takes. */
export const aPlaceholder: Placeholder = {
  color: '#6a7b8c',
  dataUri: 'data:image/webp;base64,UklGRhIAAABXRUJQVlA4TAYAAAAvAAAAAAfQ',
};

/** A request of the first slot for 1920 × 1080 pixels. */
export function request(query: string, change: Partial<StockRequest> = {}): StockRequest {
  return {
    query,
    provider: 'stock_a',
    seed: '',
    filters: {},
    widthPx: 1_920,
    heightPx: 1_080,
    asJson: false,
    ...change,
  };
}

/** @param limits what its requests are counted in; its clock stands still before any deadline unless they have another */
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
    memory: { ...emptyStockMemory(), answers: forgetful },
    settings: {
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
    async find(_, __, caller) {
      calls.push('find');
      if (found instanceof Error) throw found;
      return typeof found === 'function' ? found(caller) : found;
    },
    reportUse: async (_, owner) => void used.push(owner),
  };
}
