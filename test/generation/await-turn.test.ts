/** A model's minute is shared: charged work goes first, and one account leaves room for the others. */

import { awaitTurn, type ModelTurns, type Turn } from '../../lambda/generation/draw-master';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const minuteMs = 60_000;

function createFakeTurns(): ModelTurns & { readonly minutes: Map<string, Record<string, number>> } {
  const minutes = new Map<string, Record<string, number>>();
  return {
    minutes,
    async take(_, { label }, shares) {
      const taken = minutes.get(label) ?? {};
      if (shares.some(({ name, limit }) => (taken[name] ?? 0) >= limit)) return false;
      for (const { name } of shares) taken[name] = (taken[name] ?? 0) + 1;
      minutes.set(label, taken);
      return true;
    },
  };
}

function createBench(requestsPerMinute = 10) {
  const startMs = Date.UTC(2026, 10, 21, 12);
  const clock = createVirtualClock(startMs);
  const turns = createFakeTurns();
  const telemetry = createRecordedTelemetry();
  /** How many milliseconds after the start each turn came; `undefined` for one that never did. */
  const ask = async (owner: string, isFree: boolean, waitMs = 2 * minuteMs): Promise<number | undefined> => {
    const turn: Turn = {
      model: 'm',
      requestsPerMinute,
      owner,
      isFree,
      deadlineMs: clock.nowMs() + waitMs,
    };
    return (await awaitTurn({ turns, clock, telemetry }, turn)) ? clock.nowMs() - startMs : undefined;
  };
  const many = (count: number, owner: string, isFree: boolean) =>
    Array.from({ length: count }, () => ask(owner, isFree));
  return { clock, turns, telemetry, ask, many };
}

const at = (moments: readonly (number | undefined)[], ms: number | undefined) =>
  moments.filter((moment) => moment === ms).length;

describe('a turn at a model', () => {
  it('comes at once for a whole minute of one account while no other waits', async () => {
    const { clock, many } = createBench();
    const moments = await clock.settle(Promise.all(many(10, 'a', false)));
    expect(at(moments, 0)).toBe(10);
  });

  it('of free work takes at most half of a minute, and one account’s at most its share', async () => {
    const { clock, many, ask } = createBench();
    const free = [...many(30, 'a', true), ...many(30, 'b', true)];
    const charged = ask('c', false);
    const moments = await clock.settle(Promise.all([charged, ...free]));
    expect(moments[0]).toBe(0);
    expect(at(moments.slice(1), 0)).toBe(5);
    expect(at(moments.slice(1, 31), 0)).toBeLessThanOrEqual(4);
  });

  it.each([
    [9, 4],
    [1, 1],
  ])('of free work is one of half of %d in whole requests, and of one at least', async (perMinute, half) => {
    const { clock, ask } = createBench(perMinute);
    const moments = await clock.settle(
      Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => ask(owner, true))),
    );
    expect(at(moments, 0)).toBe(half);
  });

  it('is booked in the next minute by charged work, before the free work that waits for it', async () => {
    const { clock, many } = createBench();
    const charged = many(18, 'a', false);
    await clock.advance(0);
    const free = many(30, 'b', true);
    const moments = await clock.settle(Promise.all([...charged, ...free]));
    expect(at(moments.slice(0, 18), 0)).toBe(10);
    // Four are booked; the others take what is left of the minute.
    expect(at(moments.slice(0, 18), minuteMs)).toBeGreaterThanOrEqual(4);
    expect(at(moments.slice(18), minuteMs)).toBeLessThanOrEqual(4);
  });

  it.each([
    ['40 % of the next minute', 10, 4],
    ['40 % of it in whole requests', 12, 4],
    ['two of it, however slow the model', 4, 2],
  ])('is left to another account that waits: one books at most %s', async (_, requestsPerMinute, share) => {
    const { clock, many, turns } = createBench(requestsPerMinute);
    const flood = many(40, 'a', false);
    await clock.advance(0);
    const other = many(share, 'b', false);
    await clock.advance(0);
    expect(turns.minutes.get('2026-11-21T12:01')).toMatchObject({ 'of#a': share, 'of#b': share });
    const moments = await clock.settle(Promise.all([...flood, ...other]));
    expect(moments.slice(40)).toEqual(Array(share).fill(minuteMs));
  });

  it('never comes after the deadline', async () => {
    const { clock, many, ask } = createBench();
    await clock.settle(Promise.all(many(10, 'a', false)));
    expect(await clock.settle(ask('b', true, 30_000))).toBeUndefined();
    expect(await clock.settle(ask('b', false, 30_000))).toBeUndefined();
  });

  it('comes when it is unknown whether it was counted', async () => {
    const { clock, telemetry } = createBench();
    const turns: ModelTurns = { take: () => Promise.reject(new Error('lost')) };
    const turn = {
      model: 'm',
      requestsPerMinute: 1,
      owner: 'a',
      isFree: true,
      deadlineMs: clock.nowMs() + 1,
    };
    expect(await awaitTurn({ turns, clock, telemetry }, turn)).toBe(true);
    expect(telemetry.errors).toHaveLength(1);
  });
});
