/** How a selected image is delivered in its size, which hosts it may come from, and whether its use is reported. */

import { RendererBusy } from '../../lambda/images/renderer';
import { serviceUnavailable } from '../../lambda/problems/problem';
import { pickIdOf, renditionPath } from '../../lambda/stock/deliver-candidate';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate, createFakeStockProvider, empty, fetched, tracked } from '../fakes/stock-provider';
import { createBench, imageOf, pickOf } from './stock-bench';

describe('a rendition', () => {
  it('has a path that is opaque and stable, in the folder of its image', async () => {
    const { jobs, find } = createBench({ a: fetched });
    const answer = await find(request('lake'));
    const [job] = jobs;
    const id = /\/([^/]+)\.jpg$/.exec(job?.source.kind === 'remote' ? job.source.url : '')?.[1] ?? '';
    const path = renditionPath('alpha', id, { widthPx: 1_920, heightPx: 1_080 }, 'webp');
    expect(path).toMatch(new RegExp(`^stock/${pickIdOf('alpha', id)}/[0-9a-f]{64}\\.webp$`));
    expect(job).toEqual({
      path,
      source: {
        kind: 'remote',
        url: `https://images.example/${id}.jpg`,
        allowedHosts: ['images.example'],
      },
      widthPx: 1_920,
      heightPx: 1_080,
      format: 'webp',
      metadata: { creditLine: `Image ${id}`, aiGenerated: false },
    });
    expect(answer).toMatchObject({ image: { location: `https://cdn.example/${path}` } });
  });

  it('is drawn for a provider that draws', async () => {
    const sourceFor = () => ({ kind: 'draw' as const, words: 'lake', seed: 's' });
    const { jobs, find } = createBench({ a: { sourceFor } });
    await find(request('lake'));
    expect(jobs[0]?.source).toEqual({ kind: 'drawing', words: 'lake', seed: 's' });
  });

  it('of a broken image gives way to the next candidate, which other sizes then start with', async () => {
    const { jobs, find, scriptRenderer } = createBench({ a: fetched });
    scriptRenderer(async () =>
      jobs.length === 1 ? { outcome: 'unusable', reason: 'broken' } : { outcome: 'stored' },
    );
    expect(await find(request('lake'))).toMatchObject({
      outcome: 'found',
      image: { source: 'stock_a' },
    });
    expect(jobs).toHaveLength(2);
    await find(request('lake', { widthPx: 1_800 }));
    expect(jobs).toHaveLength(3);
    expect(jobs[2]?.source).toEqual(jobs[1]?.source);
  });

  it('is tried four times, then another slot serves', async () => {
    const { jobs, find, scriptRenderer } = createBench({ a: fetched });
    scriptRenderer(async () => ({ outcome: 'unusable', reason: 'broken' }));
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_b' } });
    expect(jobs).toHaveLength(4);
  });

  it.each([
    ['fails is an outage', new Error('The renderer is away.'), { code: 'upstream_unavailable' }],
    ['is too busy is named', new RendererBusy('no free instance'), serviceUnavailable],
  ])('whose renderer %s when no other slot has an image', async (_, failure, refusal) => {
    const { b, c, find, scriptRenderer } = createBench({ a: fetched });
    for (const provider of [b, c]) provider.script(empty);
    scriptRenderer(() => Promise.reject(failure));
    expect(await find(request('lake'))).toEqual({ outcome: 'unavailable', refusal });
  });

  it('that no instance of the renderer is free for is load and no fault, and is counted', async () => {
    const { find, scriptRenderer, telemetry } = createBench({ a: fetched });
    scriptRenderer(() => Promise.reject(new RendererBusy('no free instance')));
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_b' } });
    expect(telemetry.errors).toEqual([]);
    expect(telemetry.counts).toContainEqual({ metric: 'shed', dimensions: { reason: 'rendition' } });
    expect(telemetry.infos).toContainEqual({
      message: 'A rendition was not made',
      fields: { provider: 'alpha', reason: 'no free instance' },
    });
  });
});

describe('with own delivery', () => {
  const cropped = { kind: 'hotlink' as const, url: 'https://images.example/a.jpg?w=1920&h=1080' };

  it('an image that its provider crops is a rendition too, at once for requests that were redirected to the provider', async () => {
    const { instance, find, jobs } = createBench({ a: { sourceFor: () => cropped } });
    expect(await find(request('lake'))).toMatchObject({ image: { location: cropped.url } });
    expect(jobs).toEqual([]);
    const own = instance({ imageDelivery: 'own' });
    expect(await own.cachedImages.find(request('lake'), 'webp')).toBeUndefined();
    expect(await find(request('lake'), own)).toMatchObject({
      image: { location: expect.stringMatching(/^https:\/\/cdn\.example\/stock\//) },
    });
    expect(jobs).toMatchObject([{ source: { kind: 'remote', url: cropped.url } }]);
  });

  it('a pick of a provider that must be hotlinked shows no image', async () => {
    const unsplash = createFakeStockProvider('unsplash', { sourceFor: () => cropped });
    const { instance, find, cache } = createBench();
    const bound = instance({ providerOf: () => unsplash, slots: { stock_a: unsplash } });
    const found = await find(request('lake'), bound);
    const pick = pickOf(found);
    cache.forgetAll();
    const own = instance({ providerOf: () => unsplash, imageDelivery: 'own' });
    expect(await find(request('', { pick }), own)).toEqual({ outcome: 'none' });
    expect(await find(request('', { pick }), bound)).toMatchObject({ image: { location: cropped.url } });
  });
});

describe('a URL', () => {
  it.each([
    ['http://images.example/a.jpg'],
    ['https://elsewhere.example/a.jpg'],
    ['https://images.example.elsewhere.example/a.jpg'],
    ['http://127.0.0.1:80/a.jpg'],
    ['javascript:alert(1)'],
  ])('such as %s is neither redirected to nor fetched', async (url) => {
    for (const kind of ['hotlink', 'fetch'] as const) {
      const { jobs, find, telemetry } = createBench({ a: { sourceFor: () => ({ kind, url }) } });
      expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_b' } });
      expect(jobs).toEqual([]);
      expect(telemetry.errors.length).toBeGreaterThan(0);
    }
  });

  it('of a fake provider on this machine is redirected to', async () => {
    const sourceFor = () => ({ kind: 'hotlink' as const, url: 'http://127.0.0.1:4010/a.jpg' });
    const { find } = createBench({ a: { sourceFor, capability: { allowedHosts: ['127.0.0.1:4010'] } } });
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_a' } });
  });
});

describe('a use', () => {
  it('is reported once, by the request that found the image', async () => {
    const { clock, handedOver, cache, stock } = createBench({
      a: { ...tracked, capability: { quota: { perHour: 50 } } },
    });
    const endsMs = clock.nowMs() + 10_000;
    await clock.settle(
      Promise.all([1, 2, 3].map(() => stock.find(request('lake'), 'webp', endsMs, aSearchCaller))),
    );
    expect(handedOver).toEqual([
      { kind: 'report-use', provider: 'alpha', url: 'https://api.example/photos/1/download' },
    ]);
    // The search, and the claim of the report.
    const takes = cache.calls.filter(({ operation, key }) => operation === 'take' && !key.endsWith('#acc_1'));
    expect(takes).toHaveLength(2);
  });

  it('is reported to no provider that wants no reports', async () => {
    const { find, handedOver } = createBench();
    expect(await find(request('lake'))).toMatchObject({ image: { source: 'stock_a' } });
    expect(handedOver).toEqual([]);
  });

  it('is reported by one instance of many that answer the same request at once', async () => {
    const { clock, a, handedOver, instance } = createBench({ a: tracked });
    a.script(async () => {
      await clock.sleep(1_000);
      return [candidate('slow')];
    });
    const endsMs = clock.nowMs() + 10_000;
    const answers = await clock.settle(
      Promise.all(
        Array.from({ length: 10 }, () => instance().find(request('lake'), 'webp', endsMs, aSearchCaller)),
      ),
    );
    expect(handedOver).toHaveLength(1);
    const locations = answers.map((answer) => imageOf(answer).location);
    expect(new Set(locations).size).toBe(1);
  });

  it('is reported once for each image, account and UTC day, whatever the size', async () => {
    const { a, find, stock, instance, clock, handedOver } = createBench({ a: tracked });
    for (const widthPx of [1_920, 1_600, 1_200]) await find(request('lake', { widthPx }));
    await find(request('lake', { widthPx: 800 }), instance());
    expect(handedOver).toHaveLength(1);
    await find(request('lake', { widthPx: 700 }), stock, { ...aSearchCaller, owner: 'acc_2' });
    expect(handedOver).toHaveLength(2);
    a.script(async () => [candidate('another')]);
    await find(request('sea'));
    expect(handedOver).toHaveLength(3);
    await clock.advance(86_400_000);
    await find(request('lake', { widthPx: 640 }));
    expect(handedOver).toHaveLength(4);
  });

  it('is reported even if another request may report it too', async () => {
    const { cache, find, handedOver } = createBench({ a: tracked });
    cache.fail('take', true);
    await find(request('lake'));
    expect(handedOver).toHaveLength(1);
  });

  it('takes nothing from what searches may send, and shows the image however little is left', async () => {
    const quota = { perHour: 2 };
    const { a, find } = createBench({ a: { ...tracked, capability: { quota } } });
    for (const query of ['lake', 'sea'])
      expect(await find(request(query))).toMatchObject({ image: { source: 'stock_a' } });
    for (const heightPx of [400, 500, 600, 700])
      expect(await find(request('lake', { widthPx: 2 * heightPx, heightPx }))).toMatchObject({
        image: { source: 'stock_a' },
      });
    expect(a.asked).toHaveLength(2);
  });

  it('that cannot be reported does not fail the request', async () => {
    const { find, telemetry, handedOver } = createBench({ a: tracked });
    handedOver.push = () => {
      throw new Error('The queue is away.');
    };
    expect(await find(request('lake'))).toMatchObject({ outcome: 'found', image: { source: 'stock_a' } });
    expect(telemetry.counted('usageReports')).toBe(1);
    expect(telemetry.errors).toHaveLength(1);
  });
});
