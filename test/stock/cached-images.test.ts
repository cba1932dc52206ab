/** Checks what is known without asking a provider, how cheaply, and for how long. */

import { createCachedImages } from '../../lambda/stock/cached-images';
import { request } from '../fakes/stock';
import { createBench } from './stock-bench';

describe('a known image', () => {
  it('costs no call at all when this instance answered the request before', async () => {
    const { cache, find, stock } = createBench();
    await find(request('lake'));
    const before = cache.calls.length;
    for (let i = 0; i < 10; i++) expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeDefined();
    expect(cache.calls).toHaveLength(before);
  });

  it('costs one read in another instance, and none the second time', async () => {
    const { cache, find, instance, stock } = createBench();
    await find(request('lake'));
    const before = cache.calls.length;
    const other = instance();
    expect(await other.cachedImages.find(request('lake'), 'webp')).toBeDefined();
    expect(await other.cachedImages.find(request('lake'), 'webp')).toBeDefined();
    expect(cache.calls.slice(before)).toEqual([
      { operation: 'read', key: stock.cachedImages.keyOf(request('lake'), 'webp') },
    ]);
  });

  it('knows a request by what it asks for: other words, sizes, seeds, slots and formats are others', async () => {
    const { find, stock } = createBench();
    await find(request('lake'));
    expect(await stock.cachedImages.find(request('LAKE'), 'webp')).toBeDefined();
    expect(await stock.cachedImages.find(request('lake', { asJson: true }), 'webp')).toBeDefined();
    expect(await stock.cachedImages.find(request('sea'), 'webp')).toBeUndefined();
    expect(await stock.cachedImages.find(request('lake', { widthPx: 1_921 }), 'webp')).toBeUndefined();
    expect(await stock.cachedImages.find(request('lake', { seed: 'x' }), 'webp')).toBeUndefined();
    expect(await stock.cachedImages.find(request('lake', { provider: 'stock_b' }), 'webp')).toBeUndefined();
    expect(await stock.cachedImages.find(request('lake'), 'avif')).toBeUndefined();
  });

  it('forgets an image when its time is over', async () => {
    const { clock, find, stock, instance } = createBench();
    await find(request('lake'));
    await clock.advance(86_400_000 - 1);
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeDefined();
    await clock.advance(1);
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeUndefined();
    expect(await instance().cachedImages.find(request('lake'), 'webp')).toBeUndefined();
  });

  it('takes an image that is only good enough to stand in for none', async () => {
    const { clock, cache, find, stock, instance } = createBench();
    const answer = await find(request('lake'));
    const value = answer.outcome === 'found' ? answer.image : undefined;
    const nowMs = clock.nowMs();
    const key = stock.cachedImages.keyOf(request('lake'), 'webp');
    await cache.write(key, { value, freshUntilMs: nowMs, staleUntilMs: nowMs + 60_000 });
    expect(await instance().cachedImages.find(request('lake'), 'webp')).toBeUndefined();
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeDefined(); // From its own memory.
  });

  it('forgets what other providers have answered when the slots are bound anew', async () => {
    const { clock, cache, telemetry, find } = createBench();
    await find(request('lake'));
    const bindings = { stock_a: 'beta', stock_b: 'alpha', stock_c: 'gamma' };
    const rebound = createCachedImages({ cache, clock, telemetry, bindings });
    expect(await rebound.find(request('lake'), 'webp')).toBeUndefined();
  });

  it('is none where nothing was answered yet', async () => {
    const { a, stock } = createBench();
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeUndefined();
    expect(a.asked).toEqual([]);
  });

  it('is none where the cache does not answer, and the fault is logged', async () => {
    const { cache, stock, telemetry } = createBench();
    cache.fail('read', true);
    expect(await stock.cachedImages.find(request('lake'), 'webp')).toBeUndefined();
    expect(telemetry.errors).toHaveLength(1);
  });
});
