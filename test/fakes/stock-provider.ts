/** Use this stock provider where a test scripts which images are found. */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { Candidate } from '../../lambda/images/image';
import {
  type Capability,
  ProviderFailure,
  type Quota,
  type StockProvider,
  type StockQuery,
} from '../../lambda/stock/stock-provider';
import { parseSubject } from '../../lambda/stock/subject';

export type FakeStockProvider = ReturnType<typeof createFakeStockProvider>;

export interface FakeStockOptions {
  readonly capability?: Partial<Capability>;
  readonly quota?: Quota;
  readonly offerImage?: StockProvider['offerImage'];
}

/** The options of a provider with images that the service renders. */
export const fetched = {
  offerImage: ({ sourceUrl }) => ({ kind: 'fetch', url: sourceUrl }),
} as const satisfies FakeStockOptions;

const reportUrl = 'https://api.example/photos/1/download';
/** The options of a provider that wants reports of uses. */
export const tracked = {
  offerImage: ({ sourceUrl }) => ({ kind: 'hotlink', url: sourceUrl, reportUrl }),
} as const satisfies FakeStockOptions;

/** The scripts of a provider that does not answer, and of a provider without images. */
export const failUnavailable = async (): Promise<never> => {
  throw new ProviderFailure('unavailable', 'It is away.');
};
export const findNothing = async (): Promise<readonly Candidate[]> => [];

/** Makes a candidate that matches every search. */
export function makeCandidate(id: string, change: Partial<Candidate> = {}): Candidate {
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

type Script = (query: StockQuery, signal: AbortSignal) => Promise<readonly Candidate[]>;

/** Makes a provider. Unless it is scripted, it finds the candidates `a` to `e` and redirects to them. */
export function createFakeStockProvider(name: string, options: FakeStockOptions = {}) {
  const queries: StockQuery[] = [];
  const idQueries: string[] = [];
  let currentScript: Script = async () =>
    ['a', 'b', 'c', 'd', 'e'].map((id, index) =>
      makeCandidate(`${name}-${id}`, {
        description: { rank: index + 1, title: id, match: { score: 1, coverage: 1 } },
      }),
    );
  return {
    name: name as StockProviderName,
    /** Its queries, in order. */
    queries,
    /** The ids of its requests by id, in order. */
    idQueries,
    capability: {
      ranksByRelevance: false,
      unmetLicenses: [],
      allowedHosts: ['images.example'],
      ...options.capability,
    },
    readQuota: async () => options.quota ?? {},
    /** Sets the answer to all later requests, by words and by id. An answer that throws is a failure. */
    script(nextScript: Script) {
      currentScript = nextScript;
    },
    async search(query: StockQuery, signal: AbortSignal) {
      queries.push(query);
      return currentScript(query, signal);
    },
    async findById(id: string, signal: AbortSignal) {
      idQueries.push(id);
      const candidates = await currentScript({ subject: parseSubject(''), orientation: 'landscape' }, signal);
      return candidates.find((candidate) => candidate.id === id);
    },
    offerImage: options.offerImage ?? (({ sourceUrl }) => ({ kind: 'hotlink', url: sourceUrl })),
  } satisfies StockProvider & Readonly<Record<string, unknown>>;
}
