/** When answered requests are written: beside the work, several together in steady traffic, and never in an answer's way. */

import fc from 'fast-check';
import { dayWindow } from '../../../lambda/base/window';
import { defaultPlans } from '../../../lambda/contract/plans';
import { usageWaitMsMax } from '../../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import {
  createRecordUsage,
  refusalsWaitMsMax,
  waitingPerKeyMax,
  waitsMsMax,
} from '../../../lambda/quota/usage/record-usage';
import type { UsageOutcome } from '../../../lambda/quota/usage/usage';
import { accountId } from '../../fakes/branded';
import { breathe, createDeferred, isSettled } from '../../fakes/deferred';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createFakeUsageLedger } from '../../fakes/usage-store';
import { createVirtualClock } from '../../fakes/virtual-clock';

const startMs = Date.UTC(2026, 10, 21, 12, 30);
const account = accountId('acc_1');
const caller: KeyedCaller = { kind: 'live', account, plan: 'business', keyId: 'key_1' };
const hit: UsageOutcome = { source: 'stock_a', cache: 'HIT' };
const free: UsageOutcome = { ...hit, isFree: true };
const made: UsageOutcome = { source: 'ai', cache: 'MISS' };

function stage() {
  const store = createFakeUsageLedger();
  const telemetry = createRecordedTelemetry();
  const clock = createVirtualClock(startMs);
  const timers: (() => void)[] = [];
  const deps = { store, plans: defaultPlans, clock, telemetry };
  const record = createRecordUsage({ ...deps, later: (_, work) => void timers.push(work) });
  const writes = () => store.calls.filter((call) => call === 'record').length;
  const counts = async () => (await store.months(account, ['2026-11'])).get('2026-11')?.counts ?? [];
  const total = async () => (await counts()).reduce((sum, { requests }) => sum + requests, 0);
  /** What a process that is not frozen writes in the end. */
  const letTimersRun = async () => {
    await clock.advance(refusalsWaitMsMax);
    for (const work of timers.splice(0)) work();
    await breathe();
  };
  const refused = async () => (await store.months(account, ['2026-11'])).get('2026-11')?.refused;
  return { store, telemetry, clock, deps, record, writes, counts, refused, total, letTimersRun };
}

test('the write begins as soon as the image is known, before the request is settled', async () => {
  const { record, writes } = stage();
  const usage = record(caller, startMs);
  usage.expect(hit);
  expect(writes()).toBe(1);
  await usage.settle([hit]);
  expect(writes()).toBe(1);
});

test('a request counts on the day in which it began, to the millisecond', async () => {
  const { record, counts, clock } = stage();
  const midnightMs = Date.UTC(2026, 10, 22);
  await clock.advance(midnightMs - startMs);
  for (const atMs of [midnightMs - 1, midnightMs, midnightMs - 1]) await record(caller, atMs).settle([hit]);
  expect((await counts()).map(({ day, requests }) => [day, requests])).toEqual([
    [21, 2],
    [22, 1],
  ]);
});

test('a request that is refused, or answered otherwise than expected, is corrected', async () => {
  const { record, counts } = stage();
  const refused = record(caller, startMs);
  refused.expect(hit);
  await refused.settle([]);
  const other = record(caller, startMs);
  other.expect(hit);
  await other.settle([made]);
  expect((await counts()).filter(({ requests }) => requests !== 0)).toEqual([
    { day: 21, ...made, requests: 1 },
  ]);
});

test('what was expected to cost and was free, or the other way round, is corrected in the count of free ones', async () => {
  const { record, store } = stage();
  for (const [expected, answered] of [
    [hit, free],
    [free, hit],
    [free, free],
  ] as const) {
    const usage = record(caller, startMs);
    usage.expect(expected);
    await usage.settle([answered]);
  }
  expect((await store.months(account, ['2026-11'])).get('2026-11')).toEqual({
    counts: [{ day: 21, ...hit, requests: 1 }],
    byKey: { key_1: 1 },
    freeByKey: { key_1: 2 },
    refused: {},
  });
});

test('what was free as expected is written once', async () => {
  const { record, writes } = stage();
  const usage = record(caller, startMs);
  usage.expect(free);
  await usage.settle([free]);
  expect(writes()).toBe(1);
});

test('the first 127 requests of a key and day are written one by one, then up to 16 together', async () => {
  const { record, writes, total, letTimersRun } = stage();
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++) {
      const usage = record(caller, startMs);
      usage.expect(hit);
      await usage.settle([hit]);
    }
  };
  await ask(127);
  expect([writes(), await total()]).toEqual([127, 127]);
  await ask(3_000);
  const before = writes();
  await ask(1_600);
  expect(writes() - before).toBe(1_600 / waitingPerKeyMax);
  expect(127 + 4_600 - (await total())).toBeLessThan(waitingPerKeyMax);
  await letTimersRun();
  expect(await total()).toBe(127 + 4_600);
});

test('the images of a batch are one write', async () => {
  const { record, writes, total } = stage();
  await record(caller, startMs).settle(Array(20).fill(hit));
  expect([writes(), await total()]).toEqual([1, 20]);
});

test('what waits for a second is written beside the next request of any caller', async () => {
  const { record, total } = stage();
  for (let i = 0; i < 1_001; i++) await record(caller, startMs).settle([hit]);
  const waiting = 1_001 - (await total());
  expect(waiting).toBeGreaterThan(0);
  record({ kind: 'anonymous' }, startMs + waitsMsMax - 1);
  await breathe();
  expect(await total()).toBe(1_001 - waiting);
  record({ kind: 'anonymous' }, startMs + waitsMsMax);
  await breathe();
  expect(await total()).toBe(1_001);
});

test('refusals make no write of their own for ten seconds, and go with what their key is answered meanwhile', async () => {
  const { record, refused, writes } = stage();
  const refuse = (nowMs: number) => record(caller, nowMs).settle([{ refused: 'rate_limited' }]);
  for (let ms = 0; ms < refusalsWaitMsMax; ms += 5) await refuse(startMs + ms);
  expect(writes()).toBe(0);
  await refuse(startMs + refusalsWaitMsMax);
  expect([writes(), await refused()]).toEqual([1, { rate_limited: 2_000 }]);
  await record(caller, startMs + refusalsWaitMsMax).settle([hit]);
  expect([writes(), await refused()]).toEqual([2, { rate_limited: 2_001 }]);
});

test('the refusals of a key that is silent afterwards are written by a timer, and those of a test key are not', async () => {
  const { record, refused, writes, letTimersRun } = stage();
  await record(caller, startMs).settle([{ refused: 'not_found' }, hit, { refused: 'not_found' }]);
  await record(caller, startMs).settle([{ refused: 'quota_exceeded' }]);
  await record({ ...caller, kind: 'test' }, startMs).settle([{ refused: 'quota_exceeded' }]);
  expect(writes()).toBe(1);
  await letTimersRun();
  expect([writes(), await refused()]).toEqual([2, { not_found: 2, quota_exceeded: 1 }]);
});

test('an answer waits for a write that is under way, for a short time only, and is never failed by it', async () => {
  const { deps, clock, telemetry } = stage();
  const writing = createDeferred<void>();
  const record = createRecordUsage({
    ...deps,
    store: { record: () => writing.promise },
    later: () => undefined,
  });
  const settling = record(caller, startMs).settle([hit]);
  expect(await isSettled(settling)).toBe(false);
  for (let ms = 0; ms < usageWaitMsMax; ms += 10) await clock.advance(10);
  expect(await isSettled(settling)).toBe(true);
  writing.reject(new Error('lost'));
  await breathe();
  expect(telemetry.counted('usageUncounted')).toBe(1);
});

test('a correction that is lost is as many counts as it takes back and adds', async () => {
  const { deps, telemetry } = stage();
  const store = { record: () => Promise.reject(new Error('lost')) };
  const usage = createRecordUsage({ ...deps, store, later: (_, work) => work() })(caller, startMs);
  usage.expect(hit);
  await usage.settle([made]);
  await breathe();
  expect(telemetry.counted('usageUncounted')).toBe(3);
});

test.each([
  [0, true],
  [1, false],
])('a count that comes a day and %d ms after its day is written: %s', async (lateMs, isWritten) => {
  const { record, clock, writes, telemetry, letTimersRun } = stage();
  await record(caller, startMs).settle([hit]);
  const before = writes();
  const { endMs } = dayWindow(startMs);
  await clock.advance(endMs + 86_400_000 + lateMs - clock.nowMs());
  await record(caller, startMs).settle([hit]);
  await letTimersRun();
  expect([writes() > before, telemetry.counted('usageUncounted') === 0]).toEqual([isWritten, isWritten]);
});

test('a count is lost, and said to be, when its day ended more than a day ago', async () => {
  const { record, clock, writes, telemetry, letTimersRun } = stage();
  for (let i = 0; i < 1_001; i++) await record(caller, startMs).settle([hit]);
  const before = writes();
  await clock.advance(3 * 86_400_000);
  await letTimersRun();
  expect(writes()).toBe(before);
  expect(telemetry.counted('usageUncounted')).toBeGreaterThan(0);
});

test('whatever is expected and comes, everything that was answered is counted in the end, and nothing else', async () => {
  const outcome = fc.constantFrom(hit, made, { source: 'stock_b', cache: 'HIT' } as const);
  const request = fc.record({
    expected: fc.option(outcome),
    outcomes: fc.array(outcome, { maxLength: 3 }),
    afterMs: fc.constantFrom(0, 1, 2_000),
    keyId: fc.constantFrom('key_1', 'key_2'),
    times: fc.constantFrom(1, 1, 200),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 12 }), async (requests) => {
      const { record, clock, store, letTimersRun } = stage();
      const answered: Record<string, number> = {};
      for (const { expected, outcomes, afterMs, keyId, times } of requests)
        for (let i = 0; i < times; i++) {
          await clock.advance(afterMs);
          const usage = record({ ...caller, keyId }, clock.nowMs());
          if (expected) usage.expect(expected);
          await usage.settle(outcomes);
          for (const { source, cache } of outcomes)
            answered[`${source} ${cache}`] = (answered[`${source} ${cache}`] ?? 0) + 1;
        }
      await letTimersRun();
      const month = (await store.months(account, ['2026-11'])).get('2026-11');
      const counted = (month?.counts ?? [])
        .filter(({ requests: count }) => count !== 0)
        .map(({ source, cache, requests: count }) => [`${source} ${cache}`, count] as const);
      expect(Object.fromEntries(counted)).toEqual(answered);
    }),
    { numRuns: 20 },
  );
});
