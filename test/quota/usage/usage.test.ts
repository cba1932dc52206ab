/** The usage of accounts on real tables: what is added to it, and what each plan reads of it. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { createDeadline } from '../../../lambda/base/deadline';
import { createExpiringCache } from '../../../lambda/base/expiring-cache';
import { Outage } from '../../../lambda/base/outage';
import { defaultPlans, type PlanName } from '../../../lambda/contract/plans';
import { usageWaitMsMax } from '../../../lambda/contract/timeouts';
import type { AccountId, Caller, KeyedCaller } from '../../../lambda/credentials/caller';
import { listLastMonths, readLastUses, reportUsage } from '../../../lambda/quota/usage/report-usage';
import {
  makeUsageKey,
  recordUsage,
  type UsageOutcome,
  type UsageRefusal,
} from '../../../lambda/quota/usage/usage';
import { createVirtualClock } from '../../fakes/clock';
import { type CallInput, createFaultyDatabase, type Fault, startEngine } from '../../fakes/database';
import { startFixture } from '../../fakes/fixture';
import { makeLostAnswer } from '../../fakes/memory-database';
import { createServicesOn } from '../../fakes/services';
import { createRecordedTelemetry } from '../../fakes/telemetry';
import { makeAccountId, makeKeyHash } from '../../fakes/values';

const nowMs = Date.UTC(2026, 10, 21, 12, 30);
const plans = defaultPlans;
const hit: UsageOutcome = { source: 'stock_a', cache: 'HIT' };
const free: UsageOutcome = { ...hit, isFree: true };
const newAiImage: UsageOutcome = { source: 'ai', cache: 'MISS' };

const engine = startFixture(startEngine);

let accounts = 0;

/** A new account on the tables. @param fault what becomes of each call */
function createAccountUsage(fault: Fault = (_, send) => send()) {
  accounts += 1;
  const account = makeAccountId(`acc_${accounts}`);
  const calls: CallInput[] = [];
  const telemetry = createRecordedTelemetry();
  const clock = createVirtualClock(nowMs);
  const database = createFaultyDatabase(engine, (input, send) => {
    calls.push(input);
    return fault(input, send);
  });
  const services = createServicesOn({ ...engine, database }, { clock, telemetry });
  const pastMonths = createExpiringCache<Promise<readonly Readonly<Record<string, number>>[]>>(10);
  const readKeys = async (listedAccount: AccountId) => [
    {
      keyId: 'key_1',
      hash: makeKeyHash('a'),
      mode: 'live' as const,
      account: listedAccount,
      plan: 'business' as const,
      name: 'web shop',
      createdAt: '2026-01-01T00:00:00.000Z',
      createdBy: 'jane',
    },
  ];
  const makeCaller = (plan: PlanName, changes: Partial<KeyedCaller> = {}): KeyedCaller => ({
    kind: 'live',
    account,
    plan,
    keyId: 'key_1',
    ...changes,
  });
  return {
    account,
    calls,
    clock,
    telemetry,
    makeCaller,
    record: (
      caller: Caller,
      outcomes: readonly (UsageOutcome | UsageRefusal)[],
      startedMs = nowMs,
      requestId = 'r',
    ) => recordUsage(services, plans, caller, { requestId, startedMs }, outcomes),
    recordLate: (caller: Caller, outcomes: readonly UsageOutcome[]) => {
      const over = { ...services, deadline: createDeadline(nowMs) };
      return recordUsage(over, plans, caller, { requestId: 'r', startedMs: nowMs }, outcomes);
    },
    readAccountUses: () => readLastUses(services, account),
    report: async (caller: KeyedCaller, atMs = nowMs) =>
      (await reportUsage({ ...services, plans, readKeys, pastMonths }, caller, atMs)).document,
    readUsageItem: async (day: string, shard = 0) => {
      const Key = { pk: makeUsageKey(account, day, shard) };
      const command = new GetCommand({ TableName: engine.tableNames.quotaCounters, Key });
      return (await engine.client.send(command)).Item;
    },
  };
}

describe('recordUsage', () => {
  test.each([
    ['pro', 'live', 1],
    ['business', 'live', 1],
    ['enterprise', 'live', 1],
    ['free', 'live', 0],
    ['pro', 'test', 0],
  ] as const)('a request of plan %s with a %s key is added with %d writes', async (plan, kind, writes) => {
    const { record, makeCaller, calls } = createAccountUsage();
    await record(makeCaller(plan, { kind }), [hit, hit, newAiImage]);
    await record(makeCaller(plan, { kind }), []);
    await record({ kind: 'anonymous' }, [hit]);
    expect(calls).toHaveLength(writes);
  });

  test('an answered request counts on the day on which it began', async () => {
    const { record, makeCaller, readUsageItem } = createAccountUsage();
    const midnightMs = Date.UTC(2026, 10, 22);
    for (const atMs of [midnightMs - 1, midnightMs]) await record(makeCaller('pro'), [hit, hit], atMs);
    const counted = { 'n#stock_a#HIT': 2, 'k#key_1': 2, ttl: Date.UTC(2027, 11, 1) / 1_000 };
    expect(await readUsageItem('2026-11-21')).toMatchObject(counted);
    expect(await readUsageItem('2026-11-22')).toMatchObject(counted);
  });

  test('an answered request is added even after its deadline', async () => {
    const { recordLate, makeCaller, readUsageItem } = createAccountUsage();
    await recordLate(makeCaller('pro'), [hit]);
    expect(await readUsageItem('2026-11-21')).toMatchObject({ 'k#key_1': 1 });
  });

  test('the requests of an account without a limit are spread over several items', async () => {
    const { record, makeCaller, readUsageItem, report } = createAccountUsage();
    const caller = makeCaller('enterprise');
    await Promise.all(Array.from({ length: 16 }, (_, i) => record(caller, [hit], nowMs, `request-${i}`)));
    const items = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map((shard) => readUsageItem('2026-11-21', shard)),
    );
    expect(items.filter(Boolean).length).toBeGreaterThan(4);
    expect((await report(caller)).breakdown).toMatchObject({ requests: 16 });
  });

  test.each<[string, Fault]>([
    ['the table refuses the write', () => Promise.reject(new Error('no table'))],
    [
      'the answer to the write is lost',
      async (_, send) => {
        await send();
        throw makeLostAnswer();
      },
    ],
  ])('the usage of a request is written once when %s', async (_, fault) => {
    const { record, makeCaller, calls, telemetry } = createAccountUsage(fault);
    await record(makeCaller('pro'), [hit, newAiImage]);
    expect(telemetry.countRecorded('usageUncounted')).toBe(2);
    expect(telemetry.errors).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });

  test('an answer waits at most 150 ms for a usage table that hangs', async () => {
    const { record, makeCaller, clock } = createAccountUsage(() => new Promise(() => undefined));
    await clock.settle(record(makeCaller('pro'), [hit]));
    expect([clock.nowMs() - nowMs, usageWaitMsMax]).toEqual([150, 150]);
  });
});

describe('reportUsage', () => {
  test('the report of the plan free has only totals', async () => {
    const { report, makeCaller, calls } = createAccountUsage();
    const reset = '2026-12-01T00:00:00Z';
    expect(await report(makeCaller('free'))).toEqual({
      account: expect.any(String),
      plan: 'free',
      mode: 'live',
      limit: 1_000,
      used: 0,
      remaining: 1_000,
      reset,
      window: { kind: 'month', start: '2026-11-01T00:00:00Z', end: reset },
      generations: { limit: 25, used: 0, remaining: 25, reset },
    });
    // The two counters, and no day.
    expect(calls).toHaveLength(2);
  });

  test('the report of the plan pro breaks the month down by day, source and cache outcome', async () => {
    const { record, makeCaller, report } = createAccountUsage();
    await record(makeCaller('pro'), [hit]);
    await record(makeCaller('pro'), [newAiImage, { refused: 'rate_limited' }]);
    await record(makeCaller('pro'), [hit, free], Date.UTC(2026, 10, 3));
    expect((await report(makeCaller('pro'))).breakdown).toEqual({
      month: '2026-11',
      requests: 3,
      free: 1,
      bySource: { stock_a: 2, ai: 1 },
      byCache: { HIT: 2, MISS: 1 },
      refused: { rate_limited: 1 },
      byDay: [
        {
          date: '2026-11-03',
          requests: 1,
          free: 1,
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
          refused: { rate_limited: 1 },
        },
      ],
    });
  });

  test.each(['business', 'enterprise'] as const)(
    'the report of the plan %s has keys and thirteen months',
    async (plan) => {
      const { record, makeCaller, report } = createAccountUsage();
      await record(makeCaller(plan), [hit]);
      await record(makeCaller(plan, { keyId: 'key_gone' }), [newAiImage], Date.UTC(2025, 10, 3));
      await record(makeCaller(plan), [hit], Date.UTC(2025, 9, 31));
      const { breakdown, history } = await report(makeCaller(plan));
      expect(breakdown?.byKey).toEqual([{ keyId: 'key_1', name: 'web shop', requests: 1, free: 0 }]);
      const nothing = { requests: 0, free: 0, bySource: {}, byCache: { HIT: 0, MISS: 0 }, refused: {} };
      expect(history).toHaveLength(13);
      expect(history?.[0]).toEqual({
        ...nothing,
        month: '2025-11',
        requests: 1,
        bySource: { ai: 1 },
        byCache: { HIT: 0, MISS: 1 },
        byKey: [{ keyId: 'key_gone', requests: 1, free: 0 }],
      });
      expect(history?.[5]).toEqual({ ...nothing, month: '2026-04', byKey: [] });
      expect(history?.[12]).toMatchObject({ month: '2026-11', requests: 1 });
      const stranger = await report(makeCaller(plan, { account: makeAccountId('acc_none') }));
      expect(stranger.history?.map(({ requests }) => requests)).toEqual(Array(13).fill(0));
    },
  );

  test('the report counts all items of a time when the account had no limit', async () => {
    const { record, makeCaller, report } = createAccountUsage();
    for (let i = 0; i < 9; i++)
      await record(makeCaller('enterprise'), [hit], Date.UTC(2026, 8, 9), `request-${i}`);
    const { history } = await report(makeCaller('business'));
    expect(history?.[10]).toMatchObject({ month: '2026-09', requests: 9 });
  });

  test('past months are read once an hour', async () => {
    const { record, makeCaller, report, calls } = createAccountUsage();
    const caller = makeCaller('business');
    const countReads = async (atMs: number) => {
      const before = calls.length;
      const { breakdown } = await report(caller, atMs);
      return [calls.length - before, breakdown?.requests];
    };
    expect(await countReads(nowMs)).toEqual([35, 0]);
    await record(caller, [hit]);
    expect(await countReads(nowMs)).toEqual([5, 1]);
    expect(await countReads(Date.UTC(2026, 10, 21, 13))).toEqual([35, 1]);
  });

  test('items that a batch read leaves out are read again', async () => {
    let fails = true;
    const keysToRead = new Set<string>();
    const { record, makeCaller, report, clock } = createAccountUsage(async ({ RequestItems }, send) => {
      if (!RequestItems) return send();
      if (fails) throw Object.assign(new Error('no table'), { $metadata: { httpStatusCode: 400 } });
      // Each batch once: which of them holds the usage is not known here.
      const batch = JSON.stringify(RequestItems);
      if (keysToRead.has(batch)) return send();
      keysToRead.add(batch);
      return { Responses: {}, UnprocessedKeys: RequestItems };
    });
    await record(makeCaller('business'), [hit]);
    await expect(report(makeCaller('business'))).rejects.toThrow('no table');
    fails = false;
    const { breakdown } = await clock.settle(report(makeCaller('business')));
    expect(breakdown).toMatchObject({ requests: 1 });
  });

  test('items that each read leaves out are read again with pauses that grow, for 5 s at most', async () => {
    const { makeCaller, report, clock, calls } = createAccountUsage(async ({ RequestItems }, send) =>
      RequestItems ? { Responses: {}, UnprocessedKeys: RequestItems } : send(),
    );
    const reading = report(makeCaller('pro'));
    await expect(clock.settle(reading)).rejects.toThrow(Outage);
    expect(clock.nowMs() - nowMs).toBe(5_000);
    const batch = JSON.stringify(calls.findLast(({ RequestItems }) => RequestItems)?.RequestItems);
    expect(calls.filter(({ RequestItems }) => JSON.stringify(RequestItems) === batch)).toHaveLength(8);
  });

  test('the report lists the fifty busiest keys of a day, equal ones by their ids', async () => {
    const { record, makeCaller, report } = createAccountUsage();
    const keys = Array.from({ length: 60 }, (_, i) => `key_${i + 10}`);
    for (const keyId of [...keys.toReversed(), ...keys.slice(5)])
      await record(makeCaller('business', { keyId }), [hit]);
    const { breakdown } = await report(makeCaller('business'));
    expect(breakdown?.byKey?.map(({ keyId }) => keyId)).toEqual([...keys.slice(5), ...keys.slice(0, 5)]);
    expect(breakdown?.byDay[0]?.byKey).toEqual(breakdown?.byKey?.slice(0, 50));
  });
});

test('the last use of a key is found within 31 days', async () => {
  const { record, makeCaller, readAccountUses } = createAccountUsage();
  const dayMs = 86_400_000;
  for (const [keyId, daysAgo] of [
    ['today', 0],
    ['first', 30],
    ['earlier', 31],
  ] as const)
    await record(makeCaller('pro', { keyId }), [hit], nowMs - daysAgo * dayMs);
  expect([...(await readAccountUses())]).toEqual([
    ['first', '2026-10-22'],
    ['today', '2026-11-21'],
  ]);
});

describe('listLastMonths', () => {
  test('the last months end with the running month on each day of the year', () => {
    expect(listLastMonths(Date.UTC(2026, 1, 28), 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(listLastMonths(Date.UTC(2026, 2, 31, 23, 59), 2)).toEqual(['2026-02', '2026-03']);
  });
});
