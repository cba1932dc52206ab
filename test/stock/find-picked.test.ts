/** The image of a pick: shown in every size, by no search, until its source has removed it; then a card. */

import { pickedKey } from '../../lambda/images/picked-images';
import { RendererBusy } from '../../lambda/images/renderer';
import { serviceUnavailable } from '../../lambda/problems/problem';
import type { StockRequest } from '../../lambda/requests/image-request';
import { aSearchCaller } from '../fakes/search-caller';
import { aPlaceholder, request } from '../fakes/stock';
import {
  candidate,
  createFakeStockProvider,
  type FakeStockOptions,
  fetched,
  tracked,
} from '../fakes/stock-provider';
import { createBench, imageOf, pickOf } from './stock-bench';

const dayMs = 86_400_000;

/** A bench whose first provider has an image of a lake, which a page has chosen. */
async function picked(options: FakeStockOptions = {}) {
  const bench = createBench({ a: options });
  const found = await bench.find(request('lake'));
  const pick = pickOf(found);
  const chargeSearch = () => Promise.reject(new Error('A pick costs no search.'));
  const caller = { ...aSearchCaller, chargeSearch };
  const byPick = (change: Partial<StockRequest> = {}) =>
    bench.find(request('', { pick, ...change }), undefined, caller);
  return { ...bench, pick, found, byPick };
}

it('is the one that was found, in every size and orientation, whatever is found for its words by now', async () => {
  const { a, pick, byPick, find } = await picked();
  expect(pick).toMatch(/^[0-9a-f]{20}$/);
  a.script(async () => [candidate('better')]);
  for (const size of [
    { widthPx: 400, heightPx: 900 },
    { widthPx: 3_840, heightPx: 2_160 },
  ])
    expect(await byPick(size)).toMatchObject({
      outcome: 'found',
      image: { pick, fit: 'exact', source: 'stock_a', ...size },
    });
  expect(await byPick({ provider: 'stock_b', query: 'sea' })).toMatchObject({ image: { pick } });
  expect(a.asked).toHaveLength(1);
  expect(await find(request('boat'))).not.toMatchObject({ image: { pick } });
});

it('is enlarged as far as a page asks', async () => {
  const small = candidate('small', { widthPx: 300, heightPx: 200 });
  const { a, find, jobs } = createBench({
    a: {
      sourceFor: ({ widthPx = 0, sourceUrl }, size) =>
        size.widthPx <= 3 * widthPx ? { kind: 'fetch', url: sourceUrl } : undefined,
    },
  });
  a.script(async () => [small]);
  const found = await find(request('lake', { widthPx: 900, heightPx: 600 }));
  const pick = pickOf(found);
  expect(await find(request('', { pick, widthPx: 3_000, heightPx: 2_000 }))).toMatchObject({
    image: { pick },
  });
  expect(jobs.at(-1)).toMatchObject({ widthPx: 3_000, heightPx: 2_000, enlarge: true });
});

it('that is not known is no image, and asks no provider', async () => {
  const { a, b, c, find } = createBench();
  expect(await find(request('lake', { pick: '0'.repeat(20) }))).toEqual({ outcome: 'none' });
  expect([a, b, c].flatMap(({ asked }) => asked)).toEqual([]);
});

it('is asked for once a day, from a share of its own, and shown without an answer', async () => {
  const { a, byPick, find, clock } = await picked({ capability: { quota: { perDay: 10 } } });
  await clock.advance(dayMs);
  a.script(async () => [candidate('other')]);
  let checks = 0;
  a.byId = async (id) => {
    checks += 1;
    return candidate(id, { sourceUrl: 'https://images.example/alpha-a.jpg' });
  };
  // Searches have used up all that is theirs.
  for (let i = 0; i < 12; i++) await find(request(`words ${i}`));
  for (const widthPx of [1_000, 1_100, 1_200])
    expect(await byPick({ widthPx })).toMatchObject({ outcome: 'found' });
  expect(checks).toBe(1);
  await clock.advance(dayMs);
  a.byId = async () => {
    throw new Error('The provider is away.');
  };
  expect(await byPick()).toMatchObject({ image: { location: 'https://images.example/alpha-a.jpg' } });
  // For as long as that lasts.
  await clock.advance(40 * dayMs);
  expect(await byPick()).toMatchObject({ image: { location: 'https://images.example/alpha-a.jpg' } });
});

it('is reported once for an account and day, and shown though nothing is left to report it with', async () => {
  const { byPick, handedOver } = await picked({ ...tracked, capability: { quota: { perDay: 1 } } });
  for (const widthPx of [1_000, 1_100, 1_200])
    expect(await byPick({ widthPx })).toMatchObject({ outcome: 'found', image: { source: 'stock_a' } });
  expect(handedOver).toHaveLength(1);
});

it('survives a restart, a lost cache and another binding', async () => {
  const { byPick, cache, stockMemory, instance, clock, pick } = await picked();
  cache.forgetAll();
  expect(await byPick()).toMatchObject({ image: { pick } });
  const later = instance();
  const found = later.find(
    request('', { pick, widthPx: 600 }),
    'webp',
    clock.nowMs() + 10_000,
    aSearchCaller,
  );
  expect(await clock.settle(found)).toMatchObject({ image: { pick } });
  expect(stockMemory.calls.some(({ key }) => key === pickedKey(pick))).toBe(true);
});

describe('that is gone', () => {
  const gone = async (options: FakeStockOptions = {}) => {
    const bench = await picked(options);
    await bench.clock.advance(dayMs);
    bench.a.byId = async () => undefined;
    return bench;
  };

  it('is a card of its colours in the requested size, and no other image under its credit', async () => {
    const { byPick, jobs, a, pick, found } = await gone();
    const size = { widthPx: 640, heightPx: 480 };
    const card = await byPick(size);
    expect(card).toMatchObject({ outcome: 'found', image: { fallback: 'gone', pick, ...size } });
    expect(jobs.at(-1)).toMatchObject({ source: { kind: 'card' }, ...size });
    expect(imageOf(card).attribution?.creditLine).not.toBe(imageOf(found).attribution?.creditLine);
    expect(a.asked).toHaveLength(1);
  });

  it('has the colours of its placeholder', async () => {
    const { a, find, clock, jobs, scriptRenderer } = createBench({ a: fetched });
    scriptRenderer(async () => ({ outcome: 'stored', placeholder: aPlaceholder }));
    const found = await find(request('lake'));
    await clock.advance(dayMs);
    a.byId = async () => undefined;
    await find(request('', { pick: pickOf(found) }));
    expect(jobs.at(-1)?.source).toEqual({
      kind: 'card',
      placeholder: aPlaceholder.dataUri,
      color: aPlaceholder.color,
    });
  });

  it('is remembered as gone for a day, and shown again where its source has it again', async () => {
    const { byPick, a, clock, pick, stock } = await gone();
    let asked = 0;
    a.byId = async (id) => {
      asked += 1;
      return asked === 1 ? undefined : candidate(id);
    };
    expect(await byPick({ widthPx: 700 })).toMatchObject({ image: { fallback: 'gone' } });
    await clock.advance(3_600_000);
    expect(await byPick({ widthPx: 800 })).toMatchObject({ image: { fallback: 'gone' } });
    expect(asked).toBe(1);
    await clock.advance(dayMs - 3_600_000);
    for (const widthPx of [700, 800])
      expect(await stock.cachedImages.find(request('', { pick, widthPx }), 'webp')).toBeUndefined();
    const back = await byPick({ widthPx: 900 });
    expect(back).toMatchObject({ image: { pick, attribution: { providerName: 'Fake' } } });
    expect(back).not.toMatchObject({ image: { fallback: 'gone' } });
  });

  it('is so too where its file is gone', async () => {
    const { byPick, scriptRenderer, jobs } = await picked(fetched);
    scriptRenderer(async ({ source }) =>
      source.kind === 'card' ? { outcome: 'stored' } : { outcome: 'unusable', reason: '404' },
    );
    expect(await byPick({ widthPx: 700 })).toMatchObject({ image: { fallback: 'gone' } });
    expect(jobs.at(-1)?.source.kind).toBe('card');
  });

  it('is not where its server does not answer: another attempt may have it', async () => {
    const { byPick, scriptRenderer } = await picked(fetched);
    scriptRenderer(async () => ({ outcome: 'unusable', reason: 'timeout', because: 'unanswered' }));
    expect(await byPick({ widthPx: 700 })).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable' },
    });
  });
});

it('is not answered while its renderer is away or busy', async () => {
  const { byPick, scriptRenderer } = await picked(fetched);
  scriptRenderer(() => Promise.reject(new Error('away')));
  expect(await byPick({ widthPx: 500 })).toEqual({
    outcome: 'unavailable',
    refusal: { code: 'upstream_unavailable' },
  });
  scriptRenderer(() => Promise.reject(new RendererBusy('no free instance')));
  expect(await byPick({ widthPx: 500 })).toEqual({ outcome: 'unavailable', refusal: serviceUnavailable });
});

it('says whether its provider was asked, and shows no card of an AI image that was removed', async () => {
  const { byPick, clock, a, pick, stockMemory, find } = await picked();
  expect(await byPick({ widthPx: 500 })).toMatchObject({ cache: 'HIT' });
  await clock.advance(dayMs);
  expect(await byPick({ widthPx: 600 })).toMatchObject({ cache: 'MISS' });
  await clock.advance(dayMs);
  a.byId = async () => undefined;
  expect(await byPick({ widthPx: 700 })).toMatchObject({ cache: 'MISS', image: { fallback: 'gone' } });
  expect(await byPick({ widthPx: 800 })).toMatchObject({ cache: 'HIT', image: { fallback: 'gone' } });
  const removed = { pick, removed: [pick] };
  expect(await find(request('', { ...removed, widthPx: 900 }))).toMatchObject({ cache: 'HIT' });
  const untilMs = clock.nowMs() + dayMs;
  const value = { source: 'ai', color: '#123456' };
  await stockMemory.write(pickedKey(pick), { value, freshUntilMs: untilMs, staleUntilMs: untilMs });
  expect(await find(request('', { ...removed, widthPx: 901 }))).toEqual({ outcome: 'none' });
});

it('of a photograph is found among those that there are', async () => {
  const lists: (readonly string[])[] = [];
  const { find, instance, cache } = createBench();
  const withLibrary = instance({
    slots: { stock_a: createFakeStockProvider('library') },
    libraryOf: (paths) => {
      lists.push(paths);
      return createFakeStockProvider('library', fetched);
    },
  });
  const photos = ['library/index/1.json'];
  const pick = pickOf(await find(request('lake', { photos }), withLibrary));
  cache.forgetAll();
  expect(await find(request('', { pick, photos }), withLibrary)).toMatchObject({ image: { pick } });
  expect(lists).toEqual([photos, photos]);
});
