/** All instances together stay within a provider's documented limits. */

import fc from 'fast-check';
import { counterOf, createBudget } from '../../lambda/stock/budget';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { createFakeStockProvider } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';
import { createBench } from './stock-bench';

const limited = (quota: { perMinute?: number; perHour?: number; perDay?: number }) =>
  createFakeStockProvider('alpha', { capability: { quota } });

function open(startMs?: number) {
  const clock = createVirtualClock(startMs);
  const cache = createFakeItemStore(clock);
  const telemetry = createRecordedTelemetry();
  const instance = () => createBudget({ cache, clock, telemetry });
  return { clock, cache, telemetry, instance, budget: instance() };
}

describe('the budget of a provider', () => {
  it('is one write for a caller without a key, and one more for the share of an account, for any number of windows', async () => {
    const { cache, budget } = open();
    const provider = limited({ perMinute: 20, perHour: 100, perDay: 200 });
    expect(await budget.take(provider, 'anonymous')).toBeUndefined();
    expect(cache.calls).toHaveLength(1);
    expect(await budget.take(provider, 'keyed', 'live#a')).toBeUndefined();
    expect(cache.calls).toHaveLength(3);
    expect(await budget.take(limited({}), 'keyed', 'live#a')).toBeUndefined();
    expect(cache.calls).toHaveLength(3);
  });

  it('leaves half of each window to others when one account floods it, and opens the rest as the window passes', async () => {
    const { clock, budget } = open(Date.UTC(2026, 10, 21, 12));
    const provider = limited({ perMinute: 20 });
    const takes = async (owner: string, times: number) => {
      let taken = 0;
      for (let i = 0; i < times; i++) if (!(await budget.take(provider, 'keyed', owner))) taken += 1;
      return taken;
    };
    expect(await takes('live#flood', 30)).toBe(9);
    expect(await budget.take(provider, 'keyed', 'live#flood')).toMatchObject({ of: 'account' });
    // Each of two others is sure of a fifth.
    expect([await takes('live#b', 3), await takes('live#c', 3)]).toEqual([3, 3]);
    await clock.advance(59_000);
    expect(await takes('live#flood', 30)).toBe(2);
    await clock.advance(1_000);
    expect(await takes('live#flood', 30)).toBe(9);
  });

  it('begins anew with the next window of the clock', async () => {
    const { clock, budget } = open(Date.UTC(2026, 10, 21, 12, 0, 30));
    const provider = limited({ perMinute: 2 });
    const take = () => budget.take(provider, 'keyed', 'live#a');
    expect([await take(), await take()]).toEqual([undefined, undefined]);
    expect(await take()).toMatchObject({ of: 'all', status: { limit: 2, window: { kind: 'minute' } } });
    await clock.advance(30_000);
    expect(await take()).toBeUndefined();
  });

  it.each([
    ['anonymous', { perHour: 1 }, 1],
    ['anonymous', { perHour: 5 }, 2],
    ['keyed', { perHour: 9 }, 9],
    ['keyed', { perHour: 10 }, 9],
    ['upkeep', { perHour: 9 }, 9],
    ['upkeep', { perHour: 10 }, 1],
    ['upkeep', { perHour: 29 }, 2],
  ] as const)('has for %s, of %j, %i requests', async (share, quota, count) => {
    const { budget } = open();
    let taken = 0;
    while (!(await budget.take(limited(quota), share))) taken++;
    expect(taken).toBe(count);
  });

  it('is said to be used up in the window that lasts longest, and in the longest where the counts cannot be read', async () => {
    for (const [isReadable, kind] of [
      [true, 'hour'],
      [false, 'day'],
    ] as const) {
      const { cache, budget } = open();
      cache.fail('counts', !isReadable);
      const provider = limited({ perMinute: 1, perHour: 1, perDay: 5 });
      await budget.take(provider, 'upkeep');
      expect(await budget.take(provider, 'upkeep')).toMatchObject({ status: { window: { kind } } });
    }
  });

  it('has the limits that its provider says now', async () => {
    const { budget } = open();
    const provider = { ...limited({ perHour: 1 }), currentQuota: async () => ({ perHour: 2 }) };
    const taken = [];
    for (let i = 0; i < 3; i++) taken.push(await budget.take(provider, 'keyed'));
    expect(taken).toMatchObject([undefined, undefined, { of: 'all', status: { limit: 2, remaining: 0 } }]);
  });

  it('is believed to be used up for five seconds without another write', async () => {
    const { clock, cache, budget } = open(Date.UTC(2026, 10, 21, 12));
    const writes = async (afterMs: number) => {
      await clock.advance(afterMs);
      const before = cache.calls.length;
      expect(await budget.take(limited({ perHour: 2 }), 'keyed')).toMatchObject({ of: 'all' });
      return cache.calls.length - before;
    };
    for (let i = 0; i < 2; i++) await budget.take(limited({ perHour: 2 }), 'keyed');
    expect(await writes(0)).toBeGreaterThan(0);
    expect(await writes(4_999)).toBe(0);
    expect(await writes(1)).toBeGreaterThan(0);
  });

  it('allows the call when it is unknown whether it was counted', async () => {
    const { cache, telemetry, budget } = open();
    cache.fail('take', true);
    expect(await budget.take(limited({ perHour: 1 }), 'keyed', 'live#a')).toBeUndefined();
    expect(telemetry.errors).toHaveLength(1);
  });

  it('is never exceeded in any minute, hour or day, by any number of instances', async () => {
    const quota = { perMinute: 3, perHour: 7, perDay: 11 };
    const provider = limited(quota);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 150 }), async (pauses) => {
        const { clock, instance } = open(Date.UTC(2026, 10, 20, 23, 30));
        const instances = [1, 2, 3].map(instance);
        const moments: number[] = [];
        for (const [index, pauseMs] of pauses.entries()) {
          await clock.advance(pauseMs);
          const spent = await instances[index % 3]?.take(provider, 'keyed', `live#${index % 5}`);
          if (!spent) moments.push(clock.nowMs());
        }
        for (const [lengthMs, limit] of [
          [60_000, quota.perMinute],
          [3_600_000, quota.perHour],
          [86_400_000, quota.perDay],
        ] as const) {
          for (const momentMs of moments) {
            const isSameWindow = (other: number) =>
              Math.floor(other / lengthMs) === Math.floor(momentMs / lengthMs);
            expect(moments.filter(isSameWindow).length).toBeLessThanOrEqual(limit);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps its item small: at most one per day, with one attribute per window in use', async () => {
    const nowMs = Date.UTC(2026, 10, 21, 23, 59, 59);
    expect(await counterOf(limited({ perMinute: 20, perDay: 200 }), nowMs)).toMatchObject({
      key: `B#alpha#d#${Date.UTC(2026, 10, 21) / 1_000}`,
      windows: [
        { name: 'd0', limit: 180 },
        { name: 'm1439', limit: 18 },
      ],
      endsMs: Date.UTC(2026, 10, 22),
    });
  });

  it('is counted until the longest of its windows ends, for an account as for all', async () => {
    const nowMs = Date.UTC(2026, 10, 21, 12);
    const taken: unknown[] = [];
    const take = async (key: string, _: object, endsMs: number) => {
      taken.push([key, endsMs]);
      return true;
    };
    const cache = { take, counts: async () => ({}) };
    const budget = createBudget({
      cache,
      clock: { nowMs: () => nowMs },
      telemetry: createRecordedTelemetry(),
    });
    await budget.take(limited({ perMinute: 20, perDay: 200 }), 'keyed', 'live#a');
    const [key, endsMs] = [`B#alpha#d#${Date.UTC(2026, 10, 21) / 1_000}`, Date.UTC(2026, 10, 22)];
    expect(taken).toEqual([
      [`${key}#live#a`, endsMs],
      [key, endsMs],
    ]);
  });

  it('keeps half of each window for callers with keys, and says when the other half is free again', async () => {
    const { budget } = open(Date.UTC(2026, 10, 21, 12, 0, 30));
    const provider = limited({ perMinute: 20, perDay: 4 });
    const anonymous = () => budget.take(provider, 'anonymous');
    expect([await anonymous(), await anonymous()]).toEqual([undefined, undefined]);
    expect(await anonymous()).toMatchObject({
      of: 'anonymous',
      status: { limit: 2, window: { kind: 'day' } },
    });
    expect(await budget.take(provider, 'keyed', 'live#a')).toBeUndefined();
    expect(await budget.take(provider, 'keyed', 'live#a')).toBeUndefined();
    expect(await budget.take(provider, 'keyed', 'live#a')).toMatchObject({
      of: 'all',
      status: { limit: 4, window: { kind: 'day' } },
    });
  });

  it('keeps a tenth of each window for upkeep, which takes nothing from searches', async () => {
    const { budget } = open();
    const provider = limited({ perHour: 20 });
    const taken = async (share: 'keyed' | 'upkeep') => {
      let count = 0;
      while (!(await budget.take(provider, share))) count++;
      return count;
    };
    expect([await taken('upkeep'), await taken('keyed')]).toEqual([2, 18]);
  });

  it('sends a lookup to the next slot when it is used up, without calling the provider sick', async () => {
    const { a, find, cache } = createBench({ a: { capability: { quota: { perHour: 3 } } } });
    for (let i = 0; i < 5; i++)
      await find(request(`lake ${i}`), undefined, { ...aSearchCaller, owner: `live#${i}` });
    expect(a.asked).toHaveLength(3);
    expect(await find(request('sea'))).toMatchObject({ image: { source: 'stock_b' } });
    expect(cache.calls.some(({ operation, key }) => operation === 'write' && key.startsWith('S#'))).toBe(
      false,
    );
  });
});
