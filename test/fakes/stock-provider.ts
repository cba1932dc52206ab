/** Use this stock provider where a test scripts what is found. */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { Candidate } from '../../lambda/images/image';
import {
  type Capability,
  ProviderFailure,
  type Quota,
  type StockProvider,
  type StockQuery,
} from '../../lambda/stock/stock-provider';
import { readSubject } from '../../lambda/stock/subject';

export interface FakeStockProvider extends StockProvider {
  search: StockProvider['search'];
  /** Its requests, in order. */
  readonly asked: readonly StockQuery[];
  /** The ids that it was asked about, in order. */
  readonly askedById: readonly string[];
  /** Answers from now on, by words and by id; throws to fail. */
  script(answer: (query: StockQuery, signal: AbortSignal) => Promise<readonly Candidate[]>): void;
}

export interface FakeStockOptions {
  readonly capability?: Partial<Capability>;
  readonly quota?: Quota;
  readonly offerImage?: StockProvider['offerImage'];
}

/** Its images are rendered by the service. */
export const fetched = {
  offerImage: ({ sourceUrl }) => ({ kind: 'fetch', url: sourceUrl }),
} as const satisfies FakeStockOptions;

const reportUrl = 'https://api.example/photos/1/download';
/** Each use of its images is to be reported. */
export const tracked = {
  offerImage: ({ sourceUrl }) => ({ kind: 'hotlink', url: sourceUrl, reportUrl }),
} as const satisfies FakeStockOptions;

/** Scripts of a provider that is away, and of one that has nothing. */
export const away = async (): Promise<never> => {
  throw new ProviderFailure('unavailable', 'It is away.');
};
export const empty = async (): Promise<readonly Candidate[]> => [];

/** A candidate with a little of everything, which matches every search. */
export function candidate(id: string, change: Partial<Candidate> = {}): Candidate {
  return {
    id,
    widthPx: 4_000,
    heightPx: 3_000,
    sourceUrl: `https://images.example/${id}.jpg`,
    attribution: {
      providerName: 'Fake',
      creator: `creator of ${id}`,
      license: { id: 'cc0-1.0', name: 'CC0 1.0' },
      creditLine: `Image ${id}`,
    },
    description: { rank: 1, title: id, match: { score: 1, coverage: 1 } },
    ...change,
  };
}

/** Answers every query with candidates `a` to `e`, and redirects to them, unless configured otherwise. */
export function createFakeStockProvider(name: string, options: FakeStockOptions = {}): FakeStockProvider {
  const asked: StockQuery[] = [];
  const askedById: string[] = [];
  let answer: Parameters<FakeStockProvider['script']>[0] = async () =>
    ['a', 'b', 'c', 'd', 'e'].map((id, index) =>
      candidate(`${name}-${id}`, {
        description: { rank: index + 1, title: id, match: { score: 1, coverage: 1 } },
      }),
    );
  return {
    name: name as StockProviderName,
    asked,
    askedById,
    capability: {
      ranksByRelevance: false,
      unmetLicenses: [],
      allowedHosts: ['images.example'],
      ...options.capability,
    },
    readQuota: async () => options.quota ?? {},
    script(next) {
      answer = next;
    },
    async search(query, signal) {
      asked.push(query);
      return answer(query, signal);
    },
    async findById(id, signal) {
      askedById.push(id);
      const offered = await answer({ subject: readSubject(''), orientation: 'landscape' }, signal);
      return offered.find((candidate) => candidate.id === id);
    },
    offerImage: options.offerImage ?? (({ sourceUrl }) => ({ kind: 'hotlink', url: sourceUrl })),
  };
}
