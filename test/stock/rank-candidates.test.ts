/** What a judge may change about the candidates, and that the rules alone decide without its answer. */

import type { Candidate } from '../../lambda/images/image';
import type { Verdict } from '../../lambda/images/judgement';
import type { JudgeAnswer } from '../../lambda/images/renderer-answer';
import type { JudgeJob } from '../../lambda/images/renderer-job';
import type { StockRequest } from '../../lambda/requests/image-request';
import { pickIdOf } from '../../lambda/stock/deliver-candidate';
import { createJudge, type Judge, thumbnailOf } from '../../lambda/stock/judge';
import type { ProviderSearch } from '../../lambda/stock/provider-request';
import { rankCandidates } from '../../lambda/stock/rank-candidates';
import type { SearchCaller } from '../../lambda/stock/search-caller';
import { understand } from '../../lambda/stock/understand';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate, createFakeStockProvider } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';

const candidates = ['first', 'second', 'third'].map((id, index) =>
  candidate(id, { description: { rank: index + 1, title: 'Lake' } }),
);
const verdict: Verdict = { fit: 'exact', has: [], focal: { x: 0.2, y: 0.3 }, calm: 'left' };
const judged = (...images: (Partial<Verdict> & { readonly index: number })[]): JudgeAnswer =>
  ({
    outcome: 'judged',
    images: images.map((image) => ({ ...verdict, ...image })),
    alt: 'A lake at dawn',
  }) as never;

const searchOf = (
  change: Partial<StockRequest>,
  deadlineMs: number,
  caller: SearchCaller = aSearchCaller,
): ProviderSearch => ({
  provider: createFakeStockProvider('alpha'),
  request: request('lake', change),
  subject: understand('lake', change.filters?.lang),
  format: 'jpeg',
  deadlineMs,
  caller,
  requestsMax: 3,
});

function bench(answer: (asked: number) => Promise<JudgeAnswer>, mayJudge = true) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const cache = createFakeItemStore(clock);
  const jobs: JudgeJob[] = [];
  const ids = createFakeIds();
  const request = (job: JudgeJob) => answer(jobs.push(job));
  const instance = () => createJudge({ request, cache, clock, ids, telemetry });
  const first = instance();
  const caller: SearchCaller = { ...aSearchCaller, chargeModelRequest: async () => mayJudge };
  const ranked = (
    change: Partial<StockRequest> = {},
    judge = first,
    images = candidates,
    provider = 'alpha',
  ) => {
    const search = {
      ...searchOf(change, clock.nowMs() + 10_000, caller),
      provider: createFakeStockProvider(provider),
    };
    return clock.settle(rankCandidates({ judge }, search, images));
  };
  return { telemetry, ranked, instance, jobs, asked: () => jobs.length };
}

const idsOf = (ranked: readonly { readonly id: string }[]) => ranked.map(({ id }) => id);

it('orders candidates by the judge, the others by the rules after them, and describes the first', async () => {
  const { ranked } = bench(async () => judged({ index: 2 }, { index: 1, fit: 'partial' }));
  const [best, next, last] = await ranked();
  expect([best?.id, next?.id, last?.id]).toEqual(['third', 'second', 'first']);
  expect(best?.verdict).toMatchObject({ fit: 'exact', focal: { x: 0.2, y: 0.3 }, alt: 'A lake at dawn' });
  expect(next?.verdict).not.toHaveProperty('alt');
  expect(last?.verdict).toBeUndefined();
});

it('asks once for all sizes, seeds and instances, and for requests at once', async () => {
  const { ranked, instance, asked } = bench(async () => judged({ index: 2 }, { index: 0 }));
  const [one, two] = await Promise.all([ranked(), ranked({}, instance())]);
  expect([idsOf(one)[0], idsOf(two)[0]]).toEqual(['third', 'third']);
  expect(idsOf(await ranked({ seed: '2', widthPx: 1_280 }, instance()))[0]).toBe('first');
  expect(asked()).toBe(1);
  const others: StockRequest['filters'][] = [
    { color: 'blue' },
    { license: 'public-domain' },
    { avoid: ['people'] },
    { lang: 'de' },
  ];
  for (const filters of others) await ranked({ filters });
  expect(asked()).toBe(1 + others.length);
  await ranked({}, undefined, []);
  expect(asked()).toBe(1 + others.length);
  await ranked({ widthPx: 600, heightPx: 900 });
  await ranked({}, undefined, candidates, 'beta');
  expect(asked()).toBe(3 + others.length);
});

it('is shown a small size of the best eight that may be fetched, and says which it means by their place', async () => {
  const { ranked, jobs, telemetry } = bench(async () => judged({ index: 99 }, { index: 7 }, { index: 0 }));
  const elsewhere = candidate('elsewhere', { sourceUrl: 'https://elsewhere.example/1.jpg' });
  const { title: _, ...untitled } = elsewhere.description;
  const images = Array.from({ length: 9 }, (_, at) =>
    candidate(`of-${at}`, { description: { ...untitled, rank: at + 2 } }),
  );
  expect(await ranked({}, undefined, [elsewhere])).toEqual([elsewhere]);
  expect(jobs).toEqual([]);
  const first = { ...candidate('first'), description: { ...untitled, title: 'A lake' } };
  expect(idsOf(await ranked({ filters: { lang: 'de' } }, undefined, [...images, first])).slice(0, 2)).toEqual(
    ['of-6', 'first'],
  );
  expect(jobs).toMatchObject([{ kind: 'judge', query: 'lake', lang: 'de' }]);
  const source = (id: string) => ({
    kind: 'remote',
    url: `https://images.example/${id}.jpg`,
    allowedHosts: ['images.example'],
  });
  expect(jobs[0]?.images).toEqual([
    { source: source('first'), title: 'A lake' },
    ...images.slice(0, 7).map(({ id }) => ({ source: source(id) })),
  ]);
  expect(telemetry.counts).toEqual(
    ['failed', 'answered'].map((outcome) => ({ metric: 'judgements', dimensions: { outcome } })),
  );
  await ranked({ filters: { color: 'red' } }, undefined, images);
  expect(jobs[1]).not.toHaveProperty('lang');
});

it.each<[string, Partial<Candidate>, string]>([
  ['a wide one', { widthPx: 4_000, heightPx: 3_000 }, '320x240'],
  ['a high one', { widthPx: 3_000, heightPx: 4_000 }, '240x320'],
  ['a line', { widthPx: 5_000, heightPx: 3 }, '320x1'],
  ['a column', { widthPx: 3, heightPx: 5_000 }, '1x320'],
])('sees the whole of %s in a small size', (_, size, expected) => {
  const kinds = ['fetch', 'hotlink'] as const;
  for (const kind of kinds) {
    const provider = createFakeStockProvider('alpha', {
      sourceFor: ({ sourceUrl }, { widthPx, heightPx }, crop) => ({
        kind,
        url: `${sourceUrl}?${widthPx}x${heightPx}-${crop}`,
      }),
    });
    expect(thumbnailOf({ provider }, candidate('a', size))).toMatchObject({
      thumbnail: { url: `https://images.example/a.jpg?${expected}-center` },
      isHotlinked: kind === 'hotlink',
    });
  }
  const provider = createFakeStockProvider('alpha', { sourceFor: () => undefined });
  expect(thumbnailOf({ provider }, candidate('a', size))).toBeUndefined();
});

it('leaves out what shows what is to be avoided', async () => {
  const { ranked } = bench(async () =>
    judged({ index: 0, has: ['people'] }, { index: 1, has: ['watermark'] }, { index: 2 }),
  );
  expect(idsOf(await ranked({ filters: { avoid: ['people'] } }))).toEqual(['second', 'third']);
  expect(idsOf(await ranked({ filters: { avoid: ['people', 'text'] } }))).toEqual(['third']);
  const written = bench(async () =>
    judged({ index: 0, has: ['logo'] }, { index: 1, has: ['text'] }, { index: 2 }),
  );
  expect(idsOf(await written.ranked({ filters: { avoid: ['text'] } }))).toEqual(['third']);
});

it('prefers what is calm where a text shall stand, unless it does not fit', async () => {
  const { ranked } = bench(async () =>
    judged({ index: 0, calm: 'none' }, { index: 1, calm: 'left' }, { index: 2, calm: 'right', fit: 'loose' }),
  );
  expect(idsOf(await ranked({ filters: { space: 'left' } }))).toEqual(['second', 'first', 'third']);
  expect(idsOf(await ranked({ filters: { space: 'right' } }))).toEqual(['first', 'second', 'third']);
  expect(idsOf(await ranked())).toEqual(['first', 'second', 'third']);
});

it.each<[string, () => Promise<JudgeAnswer>, boolean]>([
  ['fails', () => Promise.reject(new Error('out of order')), true],
  ['gives no answer that counts', async () => ({ outcome: 'unjudged' }), true],
  ['may not be asked any more', async () => judged({ index: 2 }), false],
])('orders candidates by the rules when the judge %s', async (_, answer, mayJudge) => {
  const { ranked } = bench(answer, mayJudge);
  expect(idsOf(await ranked())).toEqual(['first', 'second', 'third']);
});

it('draws by chance without the judge', async () => {
  const { ranked, asked } = bench(async () => judged({ index: 2 }));
  await ranked({ seed: 'spring' });
  expect(asked()).toBe(0);
});

describe('the order', () => {
  const ordered = async (
    change: Partial<StockRequest>,
    images: readonly Candidate[] = candidates,
    judge?: Judge,
  ): Promise<readonly string[]> => {
    return idsOf(await rankCandidates({ judge }, searchOf(change, 10_000), images));
  };
  const asGiven: Judge = async (_, images) => images;

  it('leaves out what was removed', async () => {
    const second = pickIdOf('alpha', 'second');
    expect(await ordered({ removed: [second] })).toEqual(['first', 'third']);
  });

  it('ends with what the words exclude', async () => {
    const [lake] = candidates;
    const match = { score: 9, coverage: 1 };
    const crowd = candidate('crowd', { description: { rank: 1, title: 'Lake', tags: ['people'], match } });
    const search = { ...searchOf({}, 10_000), subject: understand('lake without people') };
    expect(idsOf(await rankCandidates({ judge: undefined }, search, [crowd, lake as Candidate]))).toEqual([
      'first',
      'crowd',
    ]);
  });

  it('begins with a colour that is wished', async () => {
    const images = ['#204080', '#d02020'].map((color, rank) =>
      candidate(color, { description: { rank: rank + 1, title: 'Lake', color } }),
    );
    expect(await ordered({ filters: { color: 'red' } }, images)).toEqual(['#d02020', '#204080']);
    expect(await ordered({}, images)).toEqual(['#204080', '#d02020']);
  });

  it('has only images under a licence that the request allows', async () => {
    const images = ['cc0-1.0', 'pexels', 'cc-by-4.0'].map((id, rank) =>
      candidate(id, {
        description: { rank: rank + 1, title: 'Lake' },
        attribution: { providerName: 'Alpha', license: { id, name: id }, creditLine: '' },
      }),
    );
    expect(await ordered({}, images)).toEqual(['cc0-1.0', 'pexels', 'cc-by-4.0']);
    expect(await ordered({ filters: { license: 'attribution-free' } }, images)).toEqual([
      'cc0-1.0',
      'pexels',
    ]);
    expect(await ordered({ filters: { license: 'public-domain' } }, images)).toEqual(['cc0-1.0']);
  });

  it('starts over after those that show nothing to be avoided, and after all where each does', async () => {
    const crowded = candidate('crowded', {
      description: { rank: 4, title: 'People at a lake', tags: ['people'] },
    });
    const images = [...candidates.slice(0, 2), crowded];
    const filters = { avoid: ['people'] } as const;
    expect((await ordered({ filters, seed: '2' }, images, asGiven))[0]).toBe('second');
    expect((await ordered({ filters, seed: '3' }, images, asGiven))[0]).toBe('first');
    expect((await ordered({ filters, seed: '1' }, [crowded], asGiven))[0]).toBe('crowded');
    // What a judge has looked at shows nothing of it.
    const seen = images.map((each) => ({ ...each, verdict }));
    expect((await ordered({ filters, seed: '3' }, seen, asGiven))[0]).toBe('crowded');
    const both = [crowded, { ...crowded, id: 'too' }];
    expect((await ordered({ filters, seed: '2' }, both, asGiven))[0]).toBe('too');
  });
});
