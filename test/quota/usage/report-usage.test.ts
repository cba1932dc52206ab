/** The usage report of an account, by plan, and which requests are recorded in it. */

import { monthWindow } from '../../../lambda/base/window';
import {
  defaultPlans,
  type PlanName,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../../lambda/contract/plans';
import type { Caller, KeyedCaller } from '../../../lambda/credentials/caller';
import { quotaOf } from '../../../lambda/quota/quota';
import { createRecordUsage } from '../../../lambda/quota/usage/record-usage';
import { createReportUsage } from '../../../lambda/quota/usage/report-usage';
import type { UsageOutcome, UsageRefusal } from '../../../lambda/quota/usage/usage';
import { createFakeApiKeys } from '../../fakes/api-keys';
import { accountId, keyHash } from '../../fakes/branded';
import { createFakeQuotaCounters } from '../../fakes/quota-counters';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createFakeUsageLedger } from '../../fakes/usage-store';

const nowMs = Date.UTC(2026, 10, 21, 12, 30);
const plans = defaultPlans;
const callerOn = (plan: PlanName, kind: KeyedCaller['kind'] = 'live'): KeyedCaller => ({
  kind,
  account: accountId('acc_1'),
  plan,
  keyId: 'key_1',
});

function stage() {
  const counters = createFakeQuotaCounters();
  const history = createFakeUsageLedger();
  const telemetry = createRecordedTelemetry();
  const apiKeys = createFakeApiKeys([
    {
      keyId: 'key_1',
      hash: keyHash('a'),
      mode: 'live',
      account: accountId('acc_1'),
      plan: 'business',
      name: 'web shop',
      createdAt: '2026-01-01T00:00:00.000Z',
      createdBy: 'jane',
    },
  ]);
  let recordedMs = nowMs;
  const clock = { nowMs: () => recordedMs, sleep: () => new Promise<never>(() => undefined) };
  const recordUsage = createRecordUsage({ store: history, plans, clock, later: () => undefined, telemetry });
  const charge = async (caller: Caller, times: number) => {
    for (let i = 0; i < times; i++) await counters.charge(quotaOf(caller, '', plans, nowMs), `request-${i}`);
  };
  return {
    counters,
    history,
    telemetry,
    apiKeys,
    charge,
    record: (caller: Caller, outcome: UsageOutcome | UsageRefusal, atMs: number) => {
      recordedMs = atMs;
      return recordUsage(caller, atMs).settle([outcome]);
    },
    report: createReportUsage({ counters, history, readKeys: apiKeys.ofAccount, plans }),
  };
}

describe('the usage report', () => {
  it.each(['free', 'pro', 'business'] as const)('is exact to the unit on plan %s', async (plan) => {
    const { charge, report } = stage();
    await charge(callerOn(plan), 7);
    const { used, rateLimit } = await report(callerOn(plan), nowMs);
    const limit = plans[plan].monthlyRequests;
    expect(used).toBe(7);
    expect(rateLimit).toMatchObject({ limit, remaining: limit - 7, window: { label: '2026-11' } });
  });

  it('reports the usage of an unlimited plan', async () => {
    const { charge, report } = stage();
    await charge(callerOn('enterprise'), 3);
    const { used, rateLimit } = await report(callerOn('enterprise'), nowMs);
    expect(used).toBe(3);
    expect(rateLimit).toMatchObject({ limit: unlimitedRequests, remaining: unlimitedRequests });
  });

  it('reads the totals each time, the running month where they have changed or a minute has passed, and past months once a minute', async () => {
    const { charge, record, report, history } = stage();
    const caller = callerOn('business');
    await charge(caller, 1);
    await record(caller, { source: 'ai', cache: 'HIT' }, nowMs);
    await record(caller, { source: 'ai', cache: 'HIT', isFree: true }, nowMs);
    const [before] = [history.calls.length];
    const first = await Promise.all([report(caller, nowMs), report(caller, nowMs)]);
    expect(first[0]).toMatchObject({ used: 1, breakdown: { requests: 1, free: 1 } });
    expect(history.calls).toHaveLength(before + 2);
    await charge(caller, 1);
    await record(caller, { source: 'ai', cache: 'HIT' }, nowMs);
    const recorded = history.calls.length;
    expect(await report(caller, nowMs + 59_998)).toMatchObject({ used: 2, breakdown: { requests: 2 } });
    await report(caller, nowMs + 59_999);
    expect(history.calls).toHaveLength(recorded + 1);
    await report(caller, nowMs + 60_000);
    expect(history.calls).toHaveLength(recorded + 2);
    const other = { ...caller, account: accountId('acc_2') };
    expect(await report(other, nowMs + 60_000)).toMatchObject({ used: 0, breakdown: { requests: 0 } });
  });

  it('reads a break-down again that could not be read', async () => {
    const { history, report } = stage();
    history.failWith(new Error('no table'));
    await expect(report(callerOn('pro'), nowMs)).rejects.toThrow('no table');
    history.failWith(undefined);
    expect((await report(callerOn('pro'), nowMs)).breakdown).toMatchObject({ requests: 0 });
  });

  it('begins a month with nothing, within a minute of the one before', async () => {
    const { record, report } = stage();
    const endMs = Date.UTC(2026, 11, 1);
    const caller = callerOn('business');
    await record(caller, { source: 'ai', cache: 'HIT' }, endMs - 1);
    expect((await report(caller, endMs - 1)).breakdown).toMatchObject({ month: '2026-11', requests: 1 });
    expect((await report(caller, endMs)).breakdown).toMatchObject({
      month: '2026-12',
      requests: 0,
      byDay: [],
    });
  });

  it('has nothing but totals on free, and reads nothing else', async () => {
    const { report, counters, history, apiKeys } = stage();
    const { generations, ...totals } = await report(callerOn('free'), nowMs);
    expect(Object.keys(totals).sort()).toEqual(['rateLimit', 'used']);
    expect(generations).toEqual({ limit: 25, used: 0, remaining: 25, window: monthWindow(nowMs) });
    expect([counters.calls.length, history.calls.length, apiKeys.calls.length]).toEqual([2, 0, 0]);
  });

  it('charges nothing', async () => {
    const { report, counters } = stage();
    await report(callerOn('business'), nowMs);
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['taken', 'taken']);
  });

  it('shows a test key its hour, and nothing of production', async () => {
    const { charge, record, report } = stage();
    const tester = callerOn('business', 'test');
    await charge(tester, 4);
    await record(callerOn('business'), { source: 'ai', cache: 'MISS' }, nowMs);
    const { used, rateLimit, generations, breakdown, history } = await report(tester, nowMs);
    expect(used).toBe(4);
    expect(rateLimit).toMatchObject({
      limit: testRequestsPerHour,
      remaining: testRequestsPerHour - 4,
      window: { kind: 'hour', label: '2026-11-21T12' },
    });
    expect(generations).toMatchObject({ limit: 25, used: 0, window: { label: '2026-11' } });
    expect([breakdown, history]).toEqual([undefined, undefined]);
  });

  it('breaks the running month down by day, source and cache outcome on pro', async () => {
    const { record, report } = stage();
    const caller = callerOn('pro');
    await record(caller, { source: 'stock_a', cache: 'HIT' }, nowMs);
    await record(caller, { source: 'ai', cache: 'MISS' }, nowMs);
    await record(caller, { source: 'stock_a', cache: 'HIT' }, Date.UTC(2026, 10, 3));
    expect((await report(caller, nowMs)).breakdown).toEqual({
      month: '2026-11',
      requests: 3,
      free: 0,
      bySource: { stock_a: 2, ai: 1 },
      byCache: { HIT: 2, MISS: 1 },
      refused: {},
      byDay: [
        {
          date: '2026-11-03',
          requests: 1,
          free: 0,
          bySource: { stock_a: 1 },
          byCache: { HIT: 1, MISS: 0 },
          refused: {},
        },
        {
          date: '2026-11-21',
          requests: 2,
          free: 0,
          bySource: { stock_a: 1, ai: 1 },
          byCache: { HIT: 1, MISS: 1 },
          refused: {},
        },
      ],
    });
  });

  it('tells what was free apart from what was charged, by signer', async () => {
    const { record, report } = stage();
    const signer = { ...callerOn('business'), keyId: 'sg_1', publishedAs: 'signer' } as const;
    await record(signer, { source: 'stock_a', cache: 'MISS' }, nowMs);
    for (let i = 0; i < 4; i++)
      await record(signer, { source: 'stock_a', cache: 'HIT', isFree: true }, nowMs);
    await record({ ...signer, keyId: 'sg_2' }, { source: 'ai', cache: 'HIT', isFree: true }, nowMs);
    const counted = { requests: 1, free: 5, bySource: { stock_a: 1 }, byCache: { HIT: 0, MISS: 1 } };
    const { breakdown } = await report(signer, nowMs);
    expect(breakdown).toMatchObject({ ...counted, byDay: [counted] });
    expect(breakdown?.byKey).toEqual([
      { keyId: 'sg_1', requests: 1, free: 4 },
      { keyId: 'sg_2', requests: 0, free: 1 },
    ]);
  });

  it.each(['business', 'enterprise'] as const)('adds keys and thirteen months on %s', async (plan) => {
    const { record, report } = stage();
    const caller = callerOn(plan);
    await record(caller, { source: 'stock_a', cache: 'HIT' }, nowMs);
    await record(
      { ...caller, keyId: 'key_gone' },
      { source: 'stock_b', cache: 'MISS' },
      Date.UTC(2025, 10, 3),
    );
    await record(caller, { source: 'stock_a', cache: 'HIT' }, Date.UTC(2025, 9, 31));
    const { breakdown, history } = await report(caller, nowMs);
    expect(breakdown?.byKey).toEqual([{ keyId: 'key_1', name: 'web shop', requests: 1, free: 0 }]);
    expect(history).toHaveLength(13);
    expect(history?.[0]).toEqual({
      month: '2025-11',
      requests: 1,
      free: 0,
      bySource: { stock_b: 1 },
      byCache: { HIT: 0, MISS: 1 },
      refused: {},
      byKey: [{ keyId: 'key_gone', requests: 1, free: 0 }],
    });
    expect(history?.[12]).toMatchObject({ month: '2026-11', requests: 1 });
    expect(history?.[5]).toEqual({
      month: '2026-04',
      requests: 0,
      free: 0,
      bySource: {},
      byCache: { HIT: 0, MISS: 0 },
      refused: {},
      byKey: [],
    });
  });

  it.each([
    ['pro', undefined],
    [
      'business',
      [
        { keyId: 'key_2', requests: 3, free: 0 },
        { keyId: 'key_1', name: 'web shop', requests: 2, free: 0 },
      ],
    ],
  ] as const)(
    'tells for each day what was refused and, where the plan has keys, which of them spent: %s',
    async (plan, byKey) => {
      const { record, report } = stage();
      const caller = callerOn(plan);
      const dayMs = Date.UTC(2026, 10, 9);
      await record(caller, { source: 'stock_a', cache: 'HIT' }, dayMs);
      for (let i = 0; i < 3; i++)
        await record({ ...caller, keyId: 'key_2' }, { source: 'ai', cache: 'HIT' }, dayMs);
      await record(caller, { refused: 'rate_limited' }, dayMs);
      await record(caller, { source: 'stock_a', cache: 'HIT' }, dayMs);
      await record(caller, { source: 'stock_a', cache: 'HIT' }, nowMs);
      const { breakdown } = await report(caller, nowMs);
      expect(breakdown?.refused).toEqual({ rate_limited: 1 });
      expect(breakdown?.byDay.map(({ date, requests, refused }) => [date, requests, refused])).toEqual([
        ['2026-11-09', 5, { rate_limited: 1 }],
        ['2026-11-21', 1, {}],
      ]);
      expect(breakdown?.byDay[0]?.byKey).toEqual(byKey);
    },
  );

  it('is broken down as a new plan says at once', async () => {
    const { record, report } = stage();
    await record(callerOn('pro'), { source: 'ai', cache: 'HIT' }, Date.UTC(2026, 9, 30));
    await report(callerOn('pro'), nowMs);
    const { history } = await report(callerOn('business'), nowMs);
    expect(history?.[11]).toMatchObject({ month: '2026-10', requests: 1, byKey: [{ name: 'web shop' }] });
  });

  it('is broken down anew when a month begins, which was not read before', async () => {
    const { record, report } = stage();
    const begunMs = Date.UTC(2026, 11, 1);
    await report(callerOn('pro'), begunMs - 1);
    await record(callerOn('pro'), { source: 'ai', cache: 'HIT' }, begunMs);
    const { breakdown } = await report(callerOn('pro'), begunMs);
    expect(breakdown).toMatchObject({ month: '2026-12', requests: 1 });
  });

  it('lists the busiest fifty keys of a day, those that are alike by their ids', async () => {
    const { record, report } = stage();
    const keys = Array.from({ length: 60 }, (_, i) => `key_${i + 10}`);
    for (const keyId of [...keys.toReversed(), ...keys.slice(5)])
      await record({ ...callerOn('business'), keyId }, { source: 'ai', cache: 'HIT' }, nowMs);
    const { breakdown } = await report(callerOn('business'), nowMs);
    expect(breakdown?.byKey?.map(({ keyId }) => keyId)).toEqual([...keys.slice(5), ...keys.slice(0, 5)]);
    expect(breakdown?.byDay[0]?.byKey).toEqual(breakdown?.byKey?.slice(0, 50));
  });

  it('fails when the counter cannot be read, instead of guessing', async () => {
    const { report, history } = stage();
    history.failWith(new Error('no table'));
    await expect(report(callerOn('pro'), nowMs)).rejects.toThrow('no table');
  });
});

describe('an answered request', () => {
  it.each([
    ['pro', 'live', 1],
    ['business', 'live', 1],
    ['enterprise', 'live', 1],
    ['free', 'live', 0],
    ['pro', 'test', 0],
  ] as const)('of plan %s with a %s key is booked with %d writes', async (plan, kind, writes) => {
    const { record, history } = stage();
    await record(callerOn(plan, kind), { source: 'stock_a', cache: 'HIT' }, nowMs);
    expect(history.calls).toHaveLength(writes);
  });

  it('of an anonymous caller is not recorded', async () => {
    const { record, history } = stage();
    await record({ kind: 'anonymous' }, { source: 'stock_a', cache: 'HIT' }, nowMs);
    expect(history.calls).toEqual([]);
  });

  it('is answered even when it cannot be booked', async () => {
    const { record, history, telemetry } = stage();
    history.failWith(new Error('no table'));
    await record(callerOn('pro'), { source: 'stock_a', cache: 'HIT' }, nowMs);
    expect(telemetry.errors).toHaveLength(1);
    expect(telemetry.counted('usageUncounted')).toBe(1);
  });
});
