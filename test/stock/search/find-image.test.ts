/** Which image answers a request: the choice for its words, its place in it, and its life over time. */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { deadlineAt } from '../../../lambda/base/deadline';
import { hourWindow } from '../../../lambda/base/window';
import { markRemoved, pickOf, readImage, storePickedImage } from '../../../lambda/images/picked-images';
import type { Limit } from '../../../lambda/quota/limit';
import { readUsed } from '../../../lambda/quota/take';
import type { StockRequest } from '../../../lambda/requests/image-request';
import { readBudgetLimits } from '../../../lambda/stock/provider-budget';
import { findImage } from '../../../lambda/stock/search/find-image';
import type { SearchContext } from '../../../lambda/stock/search/search-types';
import { unreachedMessage } from '../../../lambda/stock/stock-services';
import { readStoredAnswer } from '../../../lambda/stock/stored-answers';
import { startEngine } from '../../fakes/database';
import { fixtureOf } from '../../fakes/fixture';
import { away, candidate, empty, fetched, tracked } from '../../fakes/stock-provider';
import { accountId, aSearchContext, noImage, request as requestFor } from '../../fakes/values';
import { bindings, createBench } from '../stock-bench';

const engine = fixtureOf(startEngine);
let words = 0;

/** A request whose words no other test has used. */
const aRequest = (change: Partial<StockRequest> = {}) => requestFor(`lake ${++words}`, change);
/** Of the same orientation. */
const larger = (request: StockRequest) => ({ ...request, widthPx: 2_000 });
const dayMs = 86_400_000;
const named = (...ids: string[]) => ids.map((id, index) => candidate(id, { description: said(index + 1) }));
const said = (rank: number, coverage = 1) => ({ rank, match: { score: 1, coverage } });
const removal = { id: 'x', kind: 'stock', files: 0, at: '2026-11-21', by: 'me', reason: 'asked' } as const;

describe('the choice', () => {
  it('a choice shows the same image at every size and in every instance after one search', async () => {
    const { a, find } = createBench(engine, fetched);
    const request = aRequest();
    const first = await find(request);
    expect(first).toMatchObject({ outcome: 'served', cache: 'MISS', image: { source: 'stock_a' } });
    for (const widthPx of [320, 1_920, 3_000])
      expect(await find({ ...request, widthPx, heightPx: Math.round(widthPx / 1.6) })).toMatchObject({
        cache: 'HIT',
        image: { pick: (first as { image: { pick: string } }).image.pick, widthPx },
      });
    expect(a.asked).toHaveLength(1);
  });

  it('seeds show the images of a choice in turn, and start over beyond the last', async () => {
    const { shown, find } = createBench(engine);
    const request = aRequest();
    const seeds = ['', '2', '3', '4', '5'];
    const images = [];
    for (const seed of seeds) images.push(await shown({ ...request, seed }));
    expect(new Set(images).size).toBe(5);
    expect(await shown({ ...request, seed: '1' })).toBe(images[0]);
    expect(await find({ ...request, seed: '6' })).toMatchObject({
      image: { seedsStartOverAfter: 5, attribution: { creditLine: images[0] } },
    });
    for (const seed of ['hero', '21']) expect(images).toContain(await shown({ ...request, seed }));
    expect(await find({ ...request, seed: '21' })).not.toMatchObject({ image: { seedsStartOverAfter: 5 } });
  });

  it('a choice is searched once when several requests ask for it at the same time', async () => {
    const { a, find, instance } = createBench(engine);
    const request = aRequest();
    const by = instance();
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        find({ ...request, widthPx: 1_400 + (i % 4) }, aSearchContext, by),
      ),
    );
    expect(a.asked).toHaveLength(1);
    expect(found.filter((each) => each.outcome === 'served' && each.cache === 'MISS')).toHaveLength(1);
  });

  it('the choice that is stored first is shown when two instances search at once', async () => {
    const { a, find } = createBench(engine);
    const request = aRequest();
    let answers = 0;
    a.script(async () => named(...(answers++ === 0 ? ['x', 'y'] : ['y', 'x'])));
    const found = await Promise.all([find(request), find(request)]);
    const picks = found.map((answer) => answer.outcome === 'served' && answer.image.pick);
    expect(picks[0]).toBe(picks[1]);
  });

  it('a choice that is searched again after 30 days keeps its images in their places', async () => {
    const { a, clock, shown } = createBench(engine);
    const request = aRequest();
    a.script(async () => named('x', 'y', 'z'));
    expect(await shown(request)).toBe('Image x');
    const { attribution } = candidate('x');
    const renamed = candidate('x', { attribution: { ...attribution, creditLine: 'Image x, renamed' } });
    a.script(async () => [...named('new', 'z', 'y'), renamed]);
    await clock.advance(29 * dayMs);
    expect(await shown(request)).toBe('Image x');
    expect(a.asked).toHaveLength(1);
    await clock.advance(2 * dayMs);
    expect(await shown(request)).toBe('Image x, renamed');
    expect(a.asked).toHaveLength(2);
    // The search has said what the image is now.
    expect(a.askedById).toEqual([]);
    expect(await shown({ ...request, seed: '4' })).toBe('Image new');
  });

  it('a choice shows its best new image in place of one that is gone', async () => {
    const { a, clock, shown } = createBench(engine);
    const request = aRequest();
    a.script(async () => named('x', 'y', 'z'));
    await shown(request);
    a.script(async () => named('new', 'z', 'y'));
    await clock.advance(31 * dayMs);
    expect(await shown(request)).toBe('Image new');
    expect(await shown({ ...request, seed: '2' })).toBe('Image y');
    expect((await readImage(createBench(engine).instance(), pickOf('openverse', 'x')))?.goneMs).toBeDefined();
  });

  it('a choice of any age is shown when its provider fails', async () => {
    const { a, clock, shown } = createBench(engine);
    const request = aRequest();
    const before = await shown(request);
    a.script(away);
    await clock.advance(60 * dayMs);
    expect(await clock.settle(shown(request))).toBe(before);
  });

  it('a choice is searched again after a day when its best image is loose', async () => {
    const { a, b, c, clock, shown } = createBench(engine);
    const request = aRequest();
    for (const provider of [a, b, c])
      provider.script(async () => [candidate('x', { description: said(1, 0.1) })]);
    await shown(request);
    a.script(async () => named('better'));
    expect(await shown(larger(request))).toBe('Image x');
    await clock.advance(dayMs + 1);
    expect(await shown(larger(request))).toBe('Image better');
  });
});

describe('searches', () => {
  it('one search serves all crops of an orientation, filter and address of the provider', async () => {
    const { a, find, instance } = createBench(engine, fetched);
    const request = aRequest();
    const filters: readonly StockRequest['filters'][] = [
      {},
      { lang: 'de' },
      { license: 'public-domain' },
      { color: 'red' },
      { avoid: ['people'] },
    ];
    for (const filter of filters) await find({ ...request, filters: filter });
    await find({ ...request, widthPx: 800, heightPx: 1_600 });
    const by = instance();
    const stockSettings = { ...by.stockSettings, endpoints: { openverse: 'http://127.0.0.1:4010' } };
    await find(request, aSearchContext, { ...by, stockSettings });
    expect(a.asked).toHaveLength(filters.length + 2);
    expect(a.asked.slice(2, 4)).toMatchObject([{ license: 'public-domain' }, { color: 'red' }]);
    await find({ ...request, filters: { crop: 'faces' }, widthPx: 1_201 });
    expect(a.asked).toHaveLength(filters.length + 2);
  });

  it('a search that found nothing is made again after a day', async () => {
    const { a, b, c, clock, shown } = createBench(engine);
    const request = aRequest();
    for (const provider of [a, b, c]) provider.script(empty);
    expect(await shown(request)).toBe('no_image_found');
    a.script(async () => named('late'));
    await clock.advance(dayMs - 1);
    expect(await shown(request)).toBe('no_image_found');
    await clock.advance(1);
    expect(await shown(request)).toBe('Image late');
  });

  it('a search shows no image whose licence does not meet the condition', async () => {
    const { a, b, find, shown } = createBench(engine);
    const { attribution } = candidate('x');
    const license = { id: 'cc-by-4.0', name: 'CC BY 4.0' };
    a.script(async () => [candidate('by', { attribution: { ...attribution, license } }), ...named('free')]);
    const filters = { license: 'public-domain' } as const;
    expect(await shown(aRequest({ filters }))).toBe('Image free');
    Object.assign(a.capability, { unmetLicenses: ['public-domain'] });
    expect(await find(aRequest({ filters }))).toMatchObject({ image: { source: 'stock_b' } });
    expect([a.asked.length, b.asked.length]).toEqual([1, 1]);
  });
});

describe('slots', () => {
  it('the first slot with a fitting image is shown, or else the loose image that covers most', async () => {
    const { a, b, c, clock, find } = createBench(engine);
    const loose = (id: string, coverage: number) => async () => [
      candidate(id, { description: said(1, coverage) }),
    ];
    a.script(loose('a', 0.1));
    b.script(loose('b', 0.2));
    c.script(empty);
    expect(await find(aRequest())).toMatchObject({ image: { source: 'stock_b', fit: 'loose' } });
    c.script(async () => named('c'));
    const { image } = (await find(aRequest())) as { image: { answerEndsMs: number } };
    // The slot that was asked for takes over again.
    const answerEndsMs = clock.nowMs() + 300_000;
    expect(image).toMatchObject({ source: 'stock_c', fit: 'exact', answerEndsMs });
  });

  it('no image is found when all slots are empty, or have loose images that are not wanted', async () => {
    const { a, b, c, shown, jobs } = createBench(engine, fetched);
    for (const provider of [a, b, c]) provider.script(empty);
    expect(await shown(aRequest())).toBe('no_image_found');
    b.script(async () => [candidate('b', { description: said(1, 0.1) })]);
    expect(await shown(aRequest({ filters: { onmiss: 'ai' } }))).toBe('no_image_found');
    expect(jobs).toEqual([]);
  });

  it('the next slot is shown when a provider fails', async () => {
    const failing = createBench(engine);
    failing.a.script(away);
    const { clock, find, shown } = failing;
    expect(await clock.settle(find(aRequest()))).toMatchObject({ image: { source: 'stock_b' } });
    for (const provider of [failing.b, failing.c]) provider.script(away);
    expect(await clock.settle(shown(aRequest()))).toBe('upstream_unavailable');
  });

  it('a refusal names the earliest moment at which a used-up slot may be asked again', async () => {
    const { a, b, c, clock, find } = createBench(engine);
    await clock.advance(100 * dayMs);
    for (const [provider, quota] of [
      [a, { perHour: 1 }],
      [b, { perMinute: 1 }],
      [c, { perHour: 1 }],
    ] as const) {
      provider.readQuota = async () => quota;
      provider.script(empty);
    }
    await find(aRequest());
    expect(await find(aRequest())).toMatchObject({
      refusal: { code: 'upstream_unavailable', retryAfterS: 60 },
    });
  });

  it('the fallback provider stands in for five minutes when no slot is reached', async () => {
    const { a, b, c, clock, find, withFallback, telemetry } = createBench(engine);
    for (const provider of [a, b, c]) provider.script(away);
    expect(await clock.settle(find(aRequest(), aSearchContext, withFallback()))).toMatchObject({
      cache: 'MISS',
      image: { attribution: { creditLine: 'Image sandbox-a' }, answerEndsMs: clock.nowMs() + 300_000 },
    });
    expect(telemetry.infos.map(({ message }) => message)).toEqual([unreachedMessage]);
  });

  it('the fallback provider is not asked when the slots have no image', async () => {
    const { a, b, c, find, withFallback } = createBench(engine);
    for (const provider of [a, b, c]) provider.script(empty);
    expect(await find(aRequest(), aSearchContext, withFallback())).toMatchObject(noImage);
  });

  it('a search asks its slots three times at most', async () => {
    const { a, b, c, shown } = createBench(engine);
    a.script(empty);
    b.script(empty);
    c.script(empty);
    await shown(aRequest());
    expect(a.asked.length + b.asked.length + c.asked.length).toBe(3);
  });
});

describe('images that a search finds', () => {
  it('an image has exactly one file for each width, height, crop and format', async () => {
    const { find, jobs, instance } = createBench(engine, fetched);
    const request = aRequest();
    const changes = [{}, { widthPx: 1_901 }, { heightPx: 1_001 }, { filters: { crop: 'faces' } }] as const;
    for (const change of [...changes, {}]) await find({ ...request, ...change });
    await findImage(instance(), request, { ...aSearchContext, format: 'avif' });
    const paths = jobs.map(({ path }) => path);
    expect(new Set(paths).size).toBe(5);
    expect(paths[4]).toBe(paths[0]);
  });

  it('an image of a thing that the words exclude ranks after all others', async () => {
    const { a, shown } = createBench(engine);
    const crowd = candidate('crowd', { description: { ...said(1), tags: ['people'] } });
    a.script(async () => [crowd, candidate('empty', { description: said(2) })]);
    expect(await shown(aRequest())).toBe('Image crowd');
    expect(await shown(requestFor(`lake ${++words} without people`))).toBe('Image empty');
  });

  it('an image whose file is gone is skipped', async () => {
    const { renders, shown, telemetry } = createBench(engine, fetched);
    const request = aRequest();
    renders(async ({ source }) =>
      'url' in source && source.url.includes('-a.')
        ? { outcome: 'unusable', reason: 'gone' }
        : { outcome: 'stored' },
    );
    expect(await shown(request)).toBe('Image openverse-b');
    renders(async () => ({ outcome: 'stored' }));
    expect(await shown(larger(request))).toBe('Image openverse-b');
    expect(await shown({ ...request, seed: '2' })).toBe('Image openverse-c');
    expect(telemetry.infos.map(({ message }) => message)).toContain('A stock image is unusable');
  });

  it('an image whose server does not answer is replaced for five minutes', async () => {
    const { clock, find, renders, shown } = createBench(engine, fetched);
    const request = aRequest();
    renders(async ({ source }) =>
      'url' in source && source.url.includes('-a.')
        ? { outcome: 'unusable', reason: 'no answer', isTemporary: true }
        : { outcome: 'stored' },
    );
    expect(await find(request)).toMatchObject({
      image: { attribution: { creditLine: 'Image openverse-b' }, answerEndsMs: clock.nowMs() + 300_000 },
    });
    renders(async () => ({ outcome: 'stored' }));
    expect(await shown(larger(request))).toBe('Image openverse-a');
  });

  it('an image on a host that its provider does not name is passed over', async () => {
    const { a, shown } = createBench(engine);
    a.script(async () => [candidate('x', { sourceUrl: 'https://evil.example/x.jpg' }), ...named('y')]);
    expect(await shown(aRequest())).toBe('Image y');
  });

  it('a removed image is shown by no search, and the next image takes its place', async () => {
    const { a, find, instance, shown, jobs } = createBench(engine, fetched);
    const request = aRequest();
    a.script(async () => named('removed', 'next'));
    const before = (await find(request)) as { image: { pick: string } };
    await markRemoved(instance(), before.image.pick, removal);
    const after = await shown(larger(request));
    expect(after).toBe('Image next');
    expect(jobs).toHaveLength(2);
    expect(await shown({ ...larger(request), widthPx: 2_001 })).toBe(after);
  });

  it.each([
    ['has too much to do', 'service_unavailable', true],
    ['fails', 'upstream_unavailable', false],
  ])('no image is shown while the renderer %s', async (_, code, isBusy) => {
    const { renders, shown } = createBench(engine, fetched);
    const { FunctionBusy } = await import('../../../lambda/aws/lambda');
    renders(() => Promise.reject(isBusy ? new FunctionBusy('busy') : new Error('down')));
    expect(await shown(aRequest())).toBe(code);
  });
});

describe('picks', () => {
  const pickOfFirst = pickOf(bindings.stock_a, 'openverse-a');

  it('a pick shows its image at every size, and asks no provider', async () => {
    const { find, a } = createBench(engine, fetched);
    const { image } = (await find(aRequest())) as { image: { pick: string } };
    const asked = a.asked.length;
    expect(await find(requestFor('', { pick: image.pick, widthPx: 321 }))).toMatchObject({
      image: { pick: image.pick, widthPx: 321 },
    });
    expect([a.asked.length, a.askedById]).toEqual([asked, []]);
  });

  it('a pick shows a card, and no other image, for a day after its file is gone', async () => {
    const { a, find, renders, clock } = createBench(engine, fetched);
    a.script(async () => named('gone'));
    const { image } = (await find(aRequest())) as { image: { pick: string } };
    renders(async ({ source }) =>
      source.kind === 'card' ? { outcome: 'stored' } : { outcome: 'unusable', reason: 'gone' },
    );
    const sized = (widthPx: number) => requestFor('', { pick: image.pick, widthPx });
    expect(await find(sized(322))).toMatchObject({ image: { fallback: 'gone', pick: image.pick } });
    renders(async () => ({ outcome: 'stored' }));
    expect(await find(sized(323))).toMatchObject({ image: { fallback: 'gone' } });
    await clock.advance(dayMs);
    expect(await find(sized(324))).not.toMatchObject({ image: { fallback: 'gone' } });
  });

  it('the pick of a removed image shows a card', async () => {
    const { a, find, instance } = createBench(engine, fetched);
    a.script(async () => named('removed too'));
    const { image } = (await find(aRequest())) as { image: { pick: string } };
    await markRemoved(instance(), image.pick, removal);
    expect(await find(requestFor('', { pick: image.pick, widthPx: 325 }))).toMatchObject({
      image: { fallback: 'gone' },
    });
  });

  it('a pick finds no image when it is of a removed AI image or may not be linked', async () => {
    const { instance, shown, find } = createBench(engine);
    const removed = pickOf('x', 'an AI image');
    await markRemoved(instance(), removed, { ...removal, kind: 'ai' });
    expect(await shown(requestFor('', { pick: removed }))).toBe('no_image_found');
    const by = instance();
    const pick = pickOf('unsplash', 'u');
    const photo = { provider: 'unsplash', source: 'stock_a', candidate: candidate('u') } as const;
    await storePickedImage(by, pick, { ...photo, fit: 'exact', checkedMs: 0 }, undefined);
    const stockSettings = { ...by.stockSettings, imageDelivery: 'own' } as const;
    const found = find(requestFor('', { pick }), aSearchContext, { ...by, stockSettings });
    expect(await found).toEqual(noImage);
  });

  it('a pick shows no card when it is unknown or its server does not answer', async () => {
    const { find, shown, renders } = createBench(engine, fetched);
    expect(await shown(requestFor('', { pick: '0'.repeat(20) }))).toBe('no_image_found');
    const { image } = (await find(aRequest({ seed: '4' }))) as { image: { pick: string } };
    renders(async () => ({ outcome: 'unusable', reason: 'no answer', isTemporary: true }));
    expect(await shown(requestFor('', { pick: image.pick, widthPx: 326 }))).toBe('upstream_unavailable');
    expect(image.pick).not.toBe(pickOfFirst);
  });

  it('a pick has its URL renewed when that has ended, unless the provider does not answer', async () => {
    const ending = { ...fetched, capability: { urlTtlMs: dayMs }, quota: { perDay: 1_000 } };
    const { find, a, clock, jobs, instance } = createBench(engine, ending);
    a.script(async () => named('ends'));
    const usedToday = async (share: 'all' | 'upkeep') =>
      readUsed(instance(), (await readBudgetLimits(a, share, clock.nowMs()))[0] as Limit);
    const { image } = (await find(aRequest())) as { image: { pick: string } };
    await clock.advance(2 * dayMs);
    a.script(async () => [candidate('ends', { sourceUrl: 'https://images.example/renewed.jpg' })]);
    await find(requestFor('', { pick: image.pick, widthPx: 327 }));
    expect(jobs.at(-1)?.source).toMatchObject({ url: 'https://images.example/renewed.jpg' });
    await find(requestFor('', { pick: image.pick, widthPx: 328 }));
    expect(a.askedById).toEqual(['ends']);
    const [searches, upkeep] = await Promise.all([usedToday('all'), usedToday('upkeep')]);
    expect({ searches, upkeep }).toEqual({ searches: 0, upkeep: 1 });
    await clock.advance(2 * dayMs);
    a.script(away);
    const late = find(requestFor('', { pick: image.pick, widthPx: 329 }));
    expect(await clock.settle(late)).toMatchObject({ outcome: 'served' });
  });
});

describe('stored answers', () => {
  it('a stored answer answers its request for five minutes', async () => {
    const { find, instance, clock } = createBench(engine, fetched);
    const request = aRequest();
    // Neither who has made the answer nor who has read it remembers it for longer.
    const lasting = () => ({ ...instance(), deadline: deadlineAt(Infinity) });
    const [finder, reader] = [lasting(), lasting()];
    const { image } = (await find(request, aSearchContext, finder)) as { image: object };
    expect(await readStoredAnswer(instance(), request, 'webp')).toEqual({ image, isRenditionCounted: true });
    expect(await readStoredAnswer(instance(), request, 'avif')).toEqual({ isRenditionCounted: false });
    // Another setup answers at once, and a base URL ends where a path begins.
    for (const change of [
      { imageDelivery: 'own' },
      { bindings: { ...bindings, stock_c: 'pexels' } },
      { imageBaseUrl: 'https://cdn.exam' },
    ] as const) {
      const stockSettings = { ...instance().stockSettings, ...change };
      expect(await readStoredAnswer({ ...instance(), stockSettings }, request, 'webp')).toEqual({
        isRenditionCounted: false,
      });
    }
    await clock.advance(299_999);
    expect(await readStoredAnswer(instance(), request, 'webp')).toEqual({ image, isRenditionCounted: true });
    for (const by of [finder, reader])
      expect(await readStoredAnswer(by, request, 'webp')).toEqual({ image, isRenditionCounted: true });
    await clock.advance(1);
    for (const by of [finder, reader, instance()])
      expect(await readStoredAnswer(by, request, 'webp')).toEqual({ isRenditionCounted: true });
  });

  it('a stored answer and a use are kept a day beyond their end, and a choice for 400 days', async () => {
    const { find, clock } = createBench(engine, tracked);
    // Later than all that other tests keep.
    await clock.advance(5_000 * dayMs);
    await find(aRequest());
    const nowS = clock.nowMs() / 1_000;
    const kept: [string, number][] = [];
    for (const TableName of [engine.tableNames.cache, engine.tableNames.images]) {
      const { Items = [] } = await engine.client.send(new ScanCommand({ TableName }));
      for (const { pk, ttl } of Items)
        if (ttl > nowS) kept.push([String(pk).split('#')[0] ?? '', ttl - nowS]);
    }
    expect(Object.fromEntries(kept)).toEqual({
      ANSWER: 300 + 86_400,
      USE: 43_200 + 86_400,
      CHOICE: 400 * 86_400,
      IMAGE: 401 * 86_400,
    });
  });

  it('a stored answer ends with the choice that it is from', async () => {
    const { find, instance, clock } = createBench(engine, fetched);
    const request = aRequest();
    await find(request);
    await clock.advance(30 * dayMs - 60_000);
    await find(request);
    await clock.advance(59_999);
    expect(await readStoredAnswer(instance(), request, 'webp')).toMatchObject({ image: {} });
    await clock.advance(1);
    expect(await readStoredAnswer(instance(), request, 'webp')).toEqual({ isRenditionCounted: true });
  });

  it('a stored answer is ignored when its URL is on no host of its provider', async () => {
    const { find, instance, telemetry } = createBench(engine);
    const request = aRequest();
    await find(request);
    expect(await readStoredAnswer(instance(), request, 'webp')).toEqual({ isRenditionCounted: false });
    expect(telemetry.errors.at(-1)?.message).toMatch(/names a host/);
  });
});

describe('uses', () => {
  it('a use is handed over once for each image, account and day', async () => {
    const { find, handedOver, clock } = createBench(engine, tracked);
    const request = aRequest();
    for (const widthPx of [1_900, 1_901]) await find({ ...request, widthPx });
    expect(handedOver).toHaveLength(1);
    await find(larger(request), { ...aSearchContext, account: accountId('acc_2') });
    expect(handedOver).toHaveLength(2);
    await clock.advance(dayMs);
    await find({ ...larger(request), widthPx: 2_001 });
    expect(handedOver).toHaveLength(3);
  });

  it('a later request reports a use, an hour on at the earliest, when the budget is used up', async () => {
    const { find, handedOver, clock, instance } = createBench(engine, {
      ...tracked,
      quota: { perHour: 10 },
    });
    const by = { ...instance(), deadline: deadlineAt(Infinity) };
    const [one, two] = [aRequest({ source: 'stock_b' }), aRequest({ source: 'stock_b', seed: '2' })];
    await find(one);
    await find(two);
    expect(handedOver).toHaveLength(1);
    await find(larger(two), aSearchContext, by);
    expect(handedOver).toHaveLength(1);
    await clock.advance(3_600_000);
    await find({ ...larger(two), widthPx: 2_001 }, aSearchContext, by);
    expect(handedOver).toHaveLength(2);
  });
});

describe('callers of a search', () => {
  const limitOf = (max: number, nowMs: number): Limit => ({
    kind: 'work',
    owner: `of search ${++words}`,
    max,
    window: hourWindow(nowMs),
    counts: 'work',
  });
  const { settledPayment: _, ...unpaid } = aSearchContext;

  it('a caller without work left is refused a search, and served a stored choice', async () => {
    const { clock, find, shown, withFallback } = createBench(engine, fetched);
    const caller = { ...unpaid, workLimits: [limitOf(0, clock.nowMs())] };
    const request = aRequest();
    const refused = { outcome: 'refused', refusal: { code: 'rate_limited' } };
    expect(await find(request, caller, withFallback())).toMatchObject(refused);
    await find(request);
    expect(await shown(larger(request), caller)).toMatch(/^Image/);
  });

  it('a caller is served when another without work left asks at the same time', async () => {
    const { clock, find, instance } = createBench(engine, fetched);
    const refused = { ...unpaid, workLimits: [limitOf(0, clock.nowMs())] };
    const [request, by] = [aRequest(), instance()];
    const found = [
      find(request, refused, by),
      find(request, { ...aSearchContext, account: accountId('acc_2') }, by),
    ];
    expect((await Promise.all(found)).map(({ outcome }) => outcome)).toEqual(['refused', 'served']);
  });

  it('a caller takes one unit of work for an unpaid search, and one for a new rendition', async () => {
    const { a, b, clock, find, instance, renders } = createBench(engine, fetched);
    const limit = limitOf(20, clock.nowMs());
    const first = { ...aSearchContext, isRenditionCounted: false };
    const firstUnpaid = { ...unpaid, isRenditionCounted: false };
    const usedBy = async (context: SearchContext) => {
      const before = await readUsed(instance(), limit);
      await find(aRequest(), { ...context, workLimits: [limit] });
      return (await readUsed(instance(), limit)) - before;
    };
    expect([await usedBy(first), await usedBy(firstUnpaid)]).toEqual([0, 1]);
    renders(async () => ({ outcome: 'stored', isNew: true }));
    expect([await usedBy(first), await usedBy(firstUnpaid), await usedBy(aSearchContext)]).toEqual([1, 2, 0]);
    // All slots share the unit of the search, and all candidates that of the rendition.
    a.script(empty);
    renders(async ({ source }) =>
      'url' in source && source.url.includes('-a.')
        ? { outcome: 'unusable', reason: 'gone' }
        : { outcome: 'stored', isNew: true },
    );
    expect([await usedBy(firstUnpaid), a.asked.length > 0, b.asked.length]).toEqual([2, true, 1]);
  });

  it('a caller takes one unit of work for the card of a removed image when it is new', async () => {
    const { clock, find, instance, renders } = createBench(engine, fetched);
    const pick = pickOf('openverse', `removed ${++words}`);
    await markRemoved(instance(), pick, removal);
    const workLimits = [limitOf(1, clock.nowMs())];
    const caller = { ...aSearchContext, isRenditionCounted: false, workLimits };
    const outcomes: string[] = [];
    for (const isNew of [false, true, true]) {
      renders(async () => ({ outcome: 'stored', isNew }));
      outcomes.push((await find(requestFor('', { pick, widthPx: 330 + outcomes.length }), caller)).outcome);
    }
    expect(outcomes).toEqual(['served', 'served', 'refused']);
  });

  it('a page that shows an image already is given the next one', async () => {
    const { find, jobs } = createBench(engine, fetched);
    const request = aRequest();
    const shownPick = pickOf('openverse', 'openverse-a');
    const reserved: string[] = [];
    const reserve = async (pick: string) => pick !== shownPick && reserved.push(pick) > 0;
    const found = await find(request, {
      ...aSearchContext,
      page: { reserve, charging: { free: 1, waiting: [] } },
    });
    expect(found).toMatchObject({ image: { pick: reserved[0] } });
    expect(jobs).toHaveLength(1);
    // What one page shows is no answer for others.
    expect(await find(request)).toMatchObject({ image: { pick: shownPick } });
  });
});
