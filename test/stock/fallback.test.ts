/** Which slot replaces one without a result, and for how long. */

import { serviceUnavailable } from '../../lambda/problems/problem';
import { notFound } from '../../lambda/stock/find-image';
import type { Met } from '../../lambda/stock/provider-request';
import { ProviderFailure } from '../../lambda/stock/stock-provider';
import { request } from '../fakes/stock';
import { away, candidate, empty, fetched } from '../fakes/stock-provider';
import { createBench } from './stock-bench';

const hourMs = 3_600_000;

describe('a fallback', () => {
  it('serves from the next slot and names it', async () => {
    const { a, find } = createBench();
    a.script(away);
    expect(await find(request('lake'))).toMatchObject({
      outcome: 'found',
      cache: 'MISS',
      image: { source: 'stock_b' },
    });
  });

  it('serves from the next slot when the requested one has no match', async () => {
    const { b, find } = createBench();
    b.script(empty);
    expect(await find(request('lake', { provider: 'stock_b' }))).toMatchObject({
      image: { source: 'stock_a' },
    });
  });

  it('is cached for five minutes, so that the requested slot takes over again', async () => {
    const { a, clock, find, stock } = createBench();
    a.script(away);
    await find(request('lake'));
    a.script(async () => [candidate('back')]);
    await clock.advance(299_000);
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toMatchObject({ source: 'stock_b' });
    await clock.advance(2_000);
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeUndefined();
    expect(await find(request('lake'))).toMatchObject({ cache: 'MISS', image: { source: 'stock_a' } });
  });

  it('is a stale result of the requested slot first, cached for a minute', async () => {
    const { a, b, clock, find, stock } = createBench();
    await find(request('lake'));
    await clock.advance(25 * hourMs);
    a.script(away);
    expect(await find(request('lake'))).toMatchObject({ cache: 'MISS', image: { source: 'stock_a' } });
    expect(b.asked).toEqual([]);
    await clock.advance(61_000);
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeUndefined();
  });

  it('is cached by browsers no longer than by the service', async () => {
    const { a, clock, find } = createBench();
    const keptForMs = async (query: string) => {
      const answer = await find(request(query));
      if (answer.outcome !== 'found') throw new Error('There is no image.');
      return (answer.image.keepUntilMs ?? 0) - clock.nowMs();
    };
    expect(await keptForMs('lake')).toBe(24 * hourMs);
    await clock.advance(25 * hourMs);
    a.script(away);
    expect(await keptForMs('lake')).toBe(60_000);
    expect(await keptForMs('sea')).toBe(300_000);
  });

  it('does not use a result that is too old to be stale', async () => {
    const { a, clock, find } = createBench();
    await find(request('lake'));
    await clock.advance(9 * 24 * hourMs);
    a.script(away);
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_b' } });
  });

  it('tries a provider that is bound to several slots once', async () => {
    const bench = createBench({ a: fetched, b: fetched, c: fetched });
    for (const provider of [bench.a, bench.b, bench.c]) Object.assign(provider, { name: 'same' });
    bench.scriptRenderer(async () => ({ outcome: 'unusable', reason: 'broken' }));
    expect(await bench.find(request('lake'))).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable' },
    });
    expect([bench.a, bench.b, bench.c].flatMap(({ asked }) => asked)).toHaveLength(1);
    expect(bench.jobs).toHaveLength(4); // A second round would try the fifth candidate.
  });
});

describe('when no image is found', () => {
  const failed = { requestsSent: 1, isFailed: true } as const;
  const nowMs = 1_000_000;
  const unavailable = (retryAfterS: number) => ({ code: 'upstream_unavailable', retryAfterS });
  it.each<[string, readonly Met[], object | undefined]>([
    ['that there is none where nothing was searched', [], undefined],
    ['that there is none where all answered', [{ requestsSent: 1 }, { requestsSent: 0 }], undefined],
    ['an outage of a source', [{ requestsSent: 1 }, failed], { code: 'upstream_unavailable' }],
    ['when it is over, rounded up', [{ ...failed, retryAtMs: nowMs + 1_001 }], unavailable(2)],
    ['a second where that has come meanwhile', [{ ...failed, retryAtMs: nowMs - 5_000 }], unavailable(1)],
    [
      'the first of several',
      [{ ...failed, retryAtMs: nowMs + 9_000 }, failed, { ...failed, retryAtMs: nowMs + 4_000 }],
      unavailable(4),
    ],
    [
      'the load of the renderer before that',
      [{ ...failed, isRendererBusy: true, retryAtMs: nowMs + 9_000 }],
      serviceUnavailable,
    ],
    [
      'an outage of the service before that',
      [
        { ...failed, retryAtMs: nowMs + 9_000 },
        { ...failed, isOutage: true },
      ],
      serviceUnavailable,
    ],
  ])('says %s', (_, met, refusal) =>
    expect(notFound(met, nowMs)).toEqual(refusal ? { outcome: 'unavailable', refusal } : { outcome: 'none' }),
  );

  it('reports no image when every provider answered', async () => {
    const { a, b, c, find } = createBench();
    for (const provider of [a, b, c]) provider.script(empty);
    expect(await find(request('lake'))).toEqual({ outcome: 'none' });
  });

  it('reports unavailable when one of them failed, and when it will be asked again', async () => {
    const { a, b, c, clock, find } = createBench();
    for (const provider of [a, c]) provider.script(empty);
    b.script(away);
    expect(await find(request('lake'))).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable', retryAfterS: 10 },
    });
    await clock.advance(3_500);
    expect(await find(request('lake'))).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable', retryAfterS: 7 },
    });
  });

  it('reports when a provider is asked again whose circuit is open', async () => {
    const { a, b, c, clock, find, instance } = createBench();
    for (const provider of [a, c]) provider.script(empty);
    b.script(async () => {
      throw new ProviderFailure('throttled', 'Too often.', 120_000);
    });
    await find(request('lake'));
    await clock.advance(20_000);
    // The same words and others, here and in an instance that has met no failure.
    expect(await find(request('lake'))).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable', retryAfterS: 100 },
    });
    expect(await find(request('sea'))).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable', retryAfterS: 100 },
    });
    expect(await find(request('hill'), instance())).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable', retryAfterS: 100 },
    });
    expect(b.asked).toHaveLength(1);
    await clock.advance(100_000);
    b.script(async () => [candidate('back')]);
    expect(await find(request('sea'))).toMatchObject({ outcome: 'found', image: { source: 'stock_b' } });
  });

  it('names the provider that is asked again first', async () => {
    const { a, b, c, clock, find } = createBench();
    const throttlingFor = (ms: number) => async () => {
      throw new ProviderFailure('throttled', 'Too often.', ms);
    };
    a.script(throttlingFor(300_000));
    b.script(throttlingFor(40_000));
    c.script(empty);
    await find(request('lake'));
    await clock.advance(20_000);
    expect(await find(request('sea'))).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable', retryAfterS: 20 },
    });
  });

  it('caches an empty result for ten minutes', async () => {
    const { a, clock, find } = createBench();
    a.script(empty);
    await find(request('lake'));
    await clock.advance(590_000);
    await find(request('lake'));
    expect(a.asked).toHaveLength(1);
    await clock.advance(11_000);
    await find(request('lake'));
    expect(a.asked).toHaveLength(2);
  });

  it('takes a refusal of these very words for an empty answer, and does not blame the provider', async () => {
    const { a, b, c, find } = createBench();
    for (const provider of [b, c]) provider.script(empty);
    a.script(async () => {
      throw new ProviderFailure('rejected', 'These words are spam.');
    });
    for (let i = 0; i < 5; i++) expect(await find(request(`spam ${i}`))).toEqual({ outcome: 'none' });
    a.script(async () => [candidate('fine')]);
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_a' } });
  });

  it('sends no probe while the cache is unavailable, because it could not be the only one', async () => {
    const { a, b, c, cache, find, stock } = createBench();
    cache.fail('read', true);
    cache.fail('lease', true);
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeUndefined();
    expect(await find(request('lake'))).toEqual({
      outcome: 'unavailable',
      refusal: { code: 'upstream_unavailable' },
    });
    expect([a, b, c].flatMap(({ asked }) => asked)).toEqual([]);
  });

  it('still answers when what it found cannot be stored', async () => {
    const { cache, find } = createBench();
    cache.fail('write', true);
    expect(await find(request('lake'))).toMatchObject({ outcome: 'found', cache: 'MISS' });
  });
});

describe('a loose image', () => {
  const covering = (id: string, coverage: number) => async () => [
    candidate(id, { description: { rank: 1, title: id, match: { score: coverage, coverage } } }),
  ];

  it('gives way to a better one of the next slot, and is not rendered', async () => {
    const { a, b, find, jobs } = createBench({ a: fetched, b: fetched });
    a.script(covering('loose', 0.1));
    b.script(covering('partial', 0.6));
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_b', fit: 'partial' } });
    expect(jobs).toHaveLength(1);
  });

  it('that cannot be rendered gives way to the loose one of the next slot', async () => {
    const { a, b, c, find, jobs, scriptRenderer } = createBench({ a: fetched });
    for (const each of [a, b]) each.script(covering('loose', 0.1));
    c.script(empty);
    scriptRenderer(async () => ({ outcome: 'unusable', reason: 'no image' }));
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_b', fit: 'loose' } });
    expect(jobs).toHaveLength(1);
  });

  it('of several slots is the one that covers most of the words', async () => {
    const { a, b, c, find } = createBench({ a: fetched });
    a.script(covering('little', 0.05));
    b.script(covering('more', 0.2));
    c.script(covering('most', 0.25));
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_c', fit: 'loose' } });
  });

  it('is served where no slot has a better one, and searched for again after a day', async () => {
    const { a, b, c, clock, find, stock } = createBench({ a: fetched });
    a.script(covering('loose', 0.1));
    for (const other of [b, c]) other.script(empty);
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_a', fit: 'loose' } });
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toMatchObject({ fit: 'loose' });
    await clock.advance(24 * hourMs + 1);
    a.script(covering('exact', 1));
    expect(await find(request('lake'))).toMatchObject({ cache: 'MISS', image: { fit: 'exact' } });
  });
});
