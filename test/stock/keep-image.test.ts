/** What is kept of a found image: the answer, its pick, and what was learnt on the way. */

import type { Candidate } from '../../lambda/images/image';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { SelectedImage } from '../../lambda/stock/find-at-provider';
import { keepFindings, keepImage } from '../../lambda/stock/keep-image';
import type { SearchCaller } from '../../lambda/stock/search-caller';
import { understand } from '../../lambda/stock/understand';
import { deliveryUrl } from '../fakes/branded';
import { aSearchCaller } from '../fakes/search-caller';
import { aPlaceholder, request } from '../fakes/stock';
import { candidate, createFakeStockProvider } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';

const location = deliveryUrl('https://cdn.example/a');

async function kept(
  change: Partial<StockRequest> = {},
  about: Partial<Candidate> = {},
  image: Partial<SelectedImage> = {},
  caller: Partial<SearchCaller> = {},
) {
  const clock = createVirtualClock();
  const told: unknown[] = [];
  const parts = {
    cachedImages: {
      keyOf: () => 'R#1',
      store: async (_: string, __: object, untilMs: number) =>
        void told.push(['stored', untilMs - clock.nowMs()]),
    },
    noteUse: async (_: object, owner: string) => void told.push(['used', owner]),
    pickedImages: { notePhoto: async () => void told.push(['photo']) },
    clock,
  };
  const { image: served, cache: from } = await keepImage(
    parts,
    'stock_a',
    {
      provider: createFakeStockProvider('alpha'),
      request: request('lake', change),
      subject: understand('lake'),
      format: 'jpeg',
      deadlineMs: clock.nowMs() + 10_000,
      caller: { ...aSearchCaller, ...caller },
      requestsMax: 3,
    },
    {
      candidate: candidate('a', about),
      delivered: { outcome: 'delivered', location },
      fit: 'exact',
      keepUntilMs: clock.nowMs() + 1e9,
      ...image,
    },
    [{ requestsSent: 0 }, { requestsSent: 1 }],
  );
  return { served, from, told };
}

it('is the answer, and the photo of its pick', async () => {
  const { served, from, told } = await kept();
  expect(from).toBe('MISS');
  expect(told).toEqual([['stored', 1e9], ['photo']]);
  for (const absent of ['seedsStartOverAfter', 'fallback', 'use', 'placeholder'])
    expect(served).not.toHaveProperty(absent);
});

it.each<[string, Parameters<typeof kept>, object, readonly string[]]>([
  ['of another slot for five minutes', [{ provider: 'stock_b' }], {}, ['stored', 'photo']],
  ['by its pick as long as any', [{ provider: 'stock_b', pick: 'p' }], {}, ['stored']],
  ['and that seeds start over', [{}, { seedsStartOverAfter: 3 }], { seedsStartOverAfter: 3 }, []],
  [
    'and that its use is reported',
    [{}, {}, { delivered: { outcome: 'delivered', location, reportUrl: 'r' } }],
    { use: { provider: 'alpha', url: 'r' } },
    ['stored', 'used', 'photo'],
  ],
  [
    'with the placeholder of its rendition',
    [{}, {}, { delivered: { outcome: 'delivered', location, placeholder: aPlaceholder } }],
    { placeholder: aPlaceholder },
    [],
  ],
])('is kept %s', async (_, given, expected, tells) => {
  const { served, told } = await kept(...given);
  expect(served).toMatchObject(expected);
  if (tells.length > 0) expect(told.map((each) => (each as string[])[0])).toEqual(tells);
  const [change = {}] = given;
  const isFallback = change.provider === 'stock_b' && change.pick === undefined;
  expect(told).toContainEqual(['stored', isFallback ? 300_000 : 1e9]);
});

it('tells what was broken only of an answer that there was', async () => {
  const told: unknown[] = [];
  const deps = {
    picks: { keep: async (provider: string) => void told.push(provider) },
    candidates: {
      markBroken: async (_: object, offer: object, ids: readonly string[]) => void told.push(offer, ids),
    },
  } as never;
  const search = { provider: { name: 'alpha' } } as never;
  const findings = { met: { requestsSent: 0 }, passed: [], broken: ['a'], picks: [] };
  await keepFindings(deps, search, findings);
  expect(told).toEqual([]);
  const offer = { value: { candidates: [], unusable: {} }, freshUntilMs: 1, staleUntilMs: 1 };
  const result = { offer, isStale: false, requestsSent: 0 };
  await keepFindings(deps, search, { ...findings, result, picks: [{} as never] });
  expect(told).toEqual(['alpha', offer, ['a']]);
});
