/** A stock resolver with scripted results. */

import type { UsageReport } from '../../lambda/contract/messages/background-job';
import type { ServedImage } from '../../lambda/domain/image/image';
import type { StockAnswer, StockResolver } from '../../lambda/usecases/stock/resolve-stock';

export interface FakeStockResolver extends StockResolver {
  readonly calls: readonly (keyof StockResolver)[];
  readonly reported: readonly UsageReport[];
  /** What `peek` answers: nothing, an image, or a promise that a test settles. */
  peeks(answer: ServedImage | undefined | Promise<ServedImage | undefined>): void;
  /** What `resolve` answers; an `Error` is thrown. */
  resolves(answer: StockAnswer | Error): void;
}

/** An image that nothing is wrong with. */
export const anImage: ServedImage = {
  location: 'https://images.example.org/stock/1-1920x1080.jpg',
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

export function createFakeStockResolver(): FakeStockResolver {
  const calls: (keyof StockResolver)[] = [];
  const reported: UsageReport[] = [];
  let peeked: ServedImage | undefined | Promise<ServedImage | undefined>;
  let resolved: StockAnswer | Error = { outcome: 'found', image: anImage, cache: 'MISS' };
  return {
    calls,
    reported,
    peeks: (answer) => {
      peeked = answer;
    },
    resolves: (answer) => {
      resolved = answer;
    },
    async peek() {
      calls.push('peek');
      return peeked;
    },
    async resolve() {
      calls.push('resolve');
      if (resolved instanceof Error) throw resolved;
      return resolved;
    },
    async report(usage) {
      calls.push('report');
      reported.push(usage);
    },
  };
}
