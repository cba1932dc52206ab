/** Known images are resolved without asking a provider, and the lookup chunk is loaded on first use. */

import { createStockResolver, resolutionKey } from '../../../lambda/usecases/stock/resolve-stock';
import { createFakeLookupCache } from '../../fakes/lookup-cache';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';
import { benchBindings, createBench, request } from './stock-bench';

describe('peek', () => {
  it('costs no call at all when this instance answered the request before', async () => {
    const { lookups, resolve, resolver } = createBench();
    await resolve(request('lake'));
    const before = lookups.calls.length;
    for (let i = 0; i < 10; i++) expect(await resolver.peek(request('lake'), 'webp')).toBeDefined();
    expect(lookups.calls).toHaveLength(before);
  });

  it('costs one read in another instance, and none the second time', async () => {
    const { lookups, resolve, instance } = createBench();
    await resolve(request('lake'));
    const before = lookups.calls.length;
    const other = instance();
    expect(await other.peek(request('lake'), 'webp')).toBeDefined();
    expect(await other.peek(request('lake'), 'webp')).toBeDefined();
    expect(lookups.calls.slice(before)).toEqual([
      { operation: 'read', key: resolutionKey(request('lake'), 'webp', benchBindings) },
    ]);
  });

  it('identifies a request by words, size, seed, slot and format', async () => {
    const { resolve, resolver } = createBench();
    await resolve(request('lake'));
    expect(await resolver.peek(request('LAKE'), 'webp')).toBeDefined();
    expect(await resolver.peek(request('lake', { asJson: true }), 'webp')).toBeDefined();
    expect(await resolver.peek(request('sea'), 'webp')).toBeUndefined();
    expect(await resolver.peek(request('lake', { widthPx: 1_921 }), 'webp')).toBeUndefined();
    expect(await resolver.peek(request('lake', { seed: 'x' }), 'webp')).toBeUndefined();
    expect(await resolver.peek(request('lake', { provider: 'stock_b' }), 'webp')).toBeUndefined();
    expect(await resolver.peek(request('lake'), 'avif')).toBeUndefined();
  });

  it('forgets an image when its time is over', async () => {
    const { clock, resolve, resolver, instance } = createBench();
    await resolve(request('lake'));
    await clock.advance(86_400_000 - 1);
    expect(await resolver.peek(request('lake'), 'webp')).toBeDefined();
    await clock.advance(1);
    expect(await resolver.peek(request('lake'), 'webp')).toBeUndefined();
    expect(await instance().peek(request('lake'), 'webp')).toBeUndefined();
  });

  it('ignores a stale image', async () => {
    const { clock, lookups, resolve, resolver, instance } = createBench();
    const answer = await resolve(request('lake'));
    const value = answer.outcome === 'found' ? answer.image : undefined;
    const nowMs = clock.nowMs();
    const key = resolutionKey(request('lake'), 'webp', benchBindings);
    await lookups.write(key, { value, freshUntilMs: nowMs, staleUntilMs: nowMs + 60_000 });
    expect(await instance().peek(request('lake'), 'webp')).toBeUndefined();
    expect(await resolver.peek(request('lake'), 'webp')).toBeDefined(); // From its own memory.
  });

  it('forgets what other providers have answered when the slots are bound anew', async () => {
    const { clock, lookups, telemetry, resolve } = createBench();
    await resolve(request('lake'));
    const loadLookup = () => Promise.reject(new Error('The slow half was loaded.'));
    const rebound = createStockResolver({
      lookups,
      clock,
      telemetry,
      bindings: 'beta+alpha+gamma',
      loadLookup,
    });
    expect(await rebound.peek(request('lake'), 'webp')).toBeUndefined();
  });

  it('asks no provider and loads no chunk', async () => {
    const clock = createVirtualClock();
    const resolver = createStockResolver({
      lookups: createFakeLookupCache(clock),
      clock,
      telemetry: createRecordedTelemetry(),
      bindings: benchBindings,
      loadLookup: () => Promise.reject(new Error('The slow half was loaded.')),
    });
    expect(await resolver.peek(request('lake'), 'webp')).toBeUndefined();
  });
});

describe('the slow half', () => {
  it('is loaded once, and again after a load that failed', async () => {
    const { clock, lookups, telemetry } = createBench();
    let loads = 0;
    const resolver = createStockResolver({
      lookups,
      clock,
      telemetry,
      bindings: benchBindings,
      loadLookup: async () => {
        if (++loads === 1) throw new Error('The secret could not be read.');
        return { resolve: async () => ({ answer: { outcome: 'none' } }), report: async () => undefined };
      },
    });
    await expect(resolver.resolve(request('lake'), 'webp', 0)).rejects.toThrow('secret');
    await resolver.resolve(request('lake'), 'webp', 0);
    await resolver.resolve(request('sea'), 'webp', 0);
    expect(loads).toBe(2);
  });
});
