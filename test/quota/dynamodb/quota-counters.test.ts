/** Runs the contract of the quota counters in memory and on DynamoDB, with failing calls. */

import { randomBytes, randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { hourWindow, monthWindow } from '../../../lambda/base/window';
import { unlimitedCounterShards, unlimitedRequests } from '../../../lambda/contract/plans';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { counterKey, type Limit } from '../../../lambda/quota/quota';
import type { QuotaCounters } from '../../../lambda/quota/quota-counters';
import { createFaultyClient, type Fault, type FaultyClient } from '../../aws/dynamodb/faulty-client';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';
import { accountId } from '../../fakes/branded';
import { createRecordedTelemetry, type RecordedTelemetry } from '../../fakes/recorded-telemetry';

const nowMs = Date.now();

/** The limits of a new caller: by IP address, by live key and by test key. */
function newAllowances(limit: number): Readonly<Record<'ip' | 'live' | 'test', Limit>> {
  const name = accountId(randomBytes(6).toString('hex'));
  const account = (mode: 'live' | 'test') => ({ kind: 'account', account: name, mode }) as const;
  return {
    ip: { counter: { kind: 'ip', ipHash: name }, limit, window: hourWindow(nowMs) },
    live: { counter: account('live'), limit, window: monthWindow(nowMs) },
    test: { counter: account('test'), limit, window: hourWindow(nowMs) },
  };
}

const kinds = ['ip', 'live', 'test'] as const;

describe('the quota counters', () => {
  let subject: TablesUnderTest;
  let counters: QuotaCounters;

  beforeAll(async () => {
    subject = await startTables();
    counters = createQuotaCounters(
      subject.client,
      subject.tableNames.quotaCounters,
      createRecordedTelemetry(),
    );
  });
  afterAll(() => subject?.stop());

  const chargeMany = (quota: Limit, times: number, prefix = 'r') =>
    Promise.all(Array.from({ length: times }, (_, i) => counters.charge(quota, `${prefix}${i}`)));

  describe.each(kinds)('by %s', (kind) => {
    it('begin with nothing taken', async () => {
      expect(await counters.taken(newAllowances(3)[kind])).toBe(0);
    });

    it('charge one at a time, return the taken amount, and stop at the limit', async () => {
      const quota = newAllowances(3)[kind];
      const outcomes = [];
      for (const id of ['a', 'b', 'c', 'd', 'e']) outcomes.push(await counters.charge(quota, id));
      expect(outcomes).toEqual([
        { outcome: 'charged', taken: 1 },
        { outcome: 'charged', taken: 2 },
        { outcome: 'charged', taken: 3 },
        { outcome: 'exhausted' },
        { outcome: 'exhausted' },
      ]);
      expect(await counters.taken(quota)).toBe(3);
    });

    it('admit exactly the remaining number of 200 concurrent requests', async () => {
      const quota = newAllowances(60)[kind];
      await chargeMany(quota, 10, 'before');
      const outcomes = await chargeMany(quota, 200);
      const charged = outcomes.flatMap((each) => (each.outcome === 'charged' ? [each.taken] : []));
      expect(charged.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11));
      expect(outcomes.filter(({ outcome }) => outcome === 'exhausted')).toHaveLength(150);
      expect(await counters.taken(quota)).toBe(60);
    });

    it('give back one unit, which can then be taken again', async () => {
      const quota = newAllowances(2)[kind];
      await counters.charge(quota, 'a');
      await counters.charge(quota, 'b');
      await counters.refund(quota, 'a');
      expect(await counters.taken(quota)).toBe(1);
      expect(await counters.charge(quota, 'c')).toEqual({ outcome: 'charged', taken: 2 });
      expect(await counters.charge(quota, 'd')).toEqual({ outcome: 'exhausted' });
    });

    it('give nothing back to a window that is gone, which would come back without an end', async () => {
      await expect(counters.refund(newAllowances(1)[kind], 'a')).rejects.toThrow();
    });

    it('give back the last unit', async () => {
      const quota = newAllowances(1)[kind];
      await counters.charge(quota, 'a');
      await counters.refund(quota, 'a');
      expect(await counters.taken(quota)).toBe(0);
      expect(await counters.charge(quota, 'b')).toEqual({ outcome: 'charged', taken: 1 });
    });

    it('count each window by itself, and give back to the one that was charged though it has ended', async () => {
      const before = newAllowances(5)[kind];
      const windowOf = kind === 'live' ? monthWindow : hourWindow;
      const earlier = { ...before, window: windowOf(before.window.startMs - 1) };
      await counters.charge(earlier, 'a');
      await counters.charge(before, 'b');
      await counters.charge(before, 'c');
      await counters.refund(earlier, 'a');
      expect(await counters.taken(earlier)).toBe(0);
      expect(await counters.taken(before)).toBe(2);
    });

    it('apply a higher limit at once and keep the taken amount', async () => {
      const quota = newAllowances(1)[kind];
      await counters.charge(quota, 'a');
      expect(await counters.charge({ ...quota, limit: 5 }, 'b')).toEqual({
        outcome: 'charged',
        taken: 2,
      });
    });

    it('refuse the first one under a limit of 0', async () => {
      const quota = newAllowances(0)[kind];
      expect(await counters.charge(quota, 'a')).toEqual({ outcome: 'exhausted' });
      expect(await counters.taken(quota)).toBe(0);
    });

    it('refuse under a limit below what is taken', async () => {
      const quota = newAllowances(5)[kind];
      await chargeMany(quota, 4);
      expect(await counters.charge({ ...quota, limit: 2 }, 'z')).toEqual({ outcome: 'exhausted' });
      expect(await counters.taken(quota)).toBe(4);
    });
  });

  it('keep IP, live and test counters of one name separately', async () => {
    const all = newAllowances(1);
    for (const kind of kinds)
      expect(await counters.charge(all[kind], 'a')).toMatchObject({ outcome: 'charged' });
  });

  it('count a request once in an IP window however often it is sent, at the limit too', async () => {
    const { ip } = newAllowances(2);
    const twice = await Promise.all([counters.charge(ip, 'a'), counters.charge(ip, 'a')]);
    expect(twice.map(({ outcome }) => outcome)).toEqual(['charged', 'charged']);
    expect(await counters.taken(ip)).toBe(1);
    await counters.charge(ip, 'b');
    expect(await counters.charge(ip, 'a')).toEqual({ outcome: 'charged', taken: 2 });
    expect(await counters.charge(ip, 'c')).toEqual({ outcome: 'exhausted' });
  });

  it('count an account request every time, since its id means nothing there', async () => {
    const { live } = newAllowances(5);
    await counters.charge(live, 'a');
    expect(await counters.charge(live, 'a')).toEqual({ outcome: 'charged', taken: 2 });
  });

  it('never refuse an unlimited plan, and count it all the same', async () => {
    const { live } = newAllowances(unlimitedRequests);
    const outcomes = await chargeMany(live, 30);
    expect(outcomes.every(({ outcome }) => outcome === 'charged')).toBe(true);
    expect(await counters.taken(live)).toBe(30);
    await Promise.all(Array.from({ length: 30 }, (_, i) => counters.refund(live, `r${i}`)));
    expect(await counters.taken(live)).toBe(0);
  });

  it('give nothing back to an account that has spent nothing', async () => {
    const { live } = newAllowances(5);
    await expect(counters.refund(live, 'a')).rejects.toThrow();
    expect(await counters.taken(live)).toBe(0);
  });
});

describe('the quota counters in DynamoDB', () => {
  let engine: Engine;
  let faulty: FaultyClient;
  let telemetry: RecordedTelemetry;
  let counters: QuotaCounters;
  beforeAll(async () => {
    engine = await startEngine();
  });
  beforeEach(() => {
    faulty = createFaultyClient(engine.client);
    telemetry = createRecordedTelemetry();
    counters = createQuotaCounters(faulty.client, engine.tableNames.quotaCounters, telemetry);
  });
  afterAll(() => engine?.stop());

  const itemOf = async (quota: Limit) => {
    const command = new GetCommand({
      TableName: engine.tableNames.quotaCounters,
      Key: { pk: counterKey(quota) },
      ConsistentRead: true,
    });
    return (await engine.client.send(command)).Item;
  };
  const expiryS = (quota: Limit, ms: number) => Math.ceil((quota.window.endMs + ms) / 1_000);

  describe('what is stored', () => {
    it('is a set of request ids for an address, kept an hour longer than its window', async () => {
      const { ip } = newAllowances(10);
      await counters.charge(ip, 'a');
      await counters.charge(ip, 'b');
      expect(await itemOf(ip)).toEqual({
        pk: counterKey(ip),
        ops: new Set(['a', 'b']),
        ttl: expiryS(ip, 3_600_000),
      });
    });

    it.each([
      ['live', 35],
      ['test', 2],
    ] as const)('balances for a %s key and is kept %d days longer than its window', async (kind, days) => {
      const quota = newAllowances(10)[kind];
      await counters.charge(quota, 'a');
      await counters.charge(quota, 'b');
      await counters.refund(quota, 'a');
      expect(await itemOf(quota)).toEqual({
        pk: counterKey(quota),
        taken: 1,
        spent: 1,
        ttl: expiryS(quota, days * 86_400_000),
      });
    });

    it('of fair use is kept two days longer than its window', async () => {
      const { window } = newAllowances(10).live;
      const owner = `key_${randomBytes(8).toString('hex')}`;
      const cap: Limit = { counter: { kind: 'fair-use', use: 'key-requests', owner }, limit: 10, window };
      await counters.charge(cap, 'a');
      expect((await itemOf(cap))?.['ttl']).toBe(expiryS(cap, 2 * 86_400_000));
    });

    it('is spread over eight items without a limit, beside the one with pending work, and summed when read', async () => {
      const { live } = newAllowances(unlimitedRequests);
      const pk = counterKey(live);
      const Item = { pk, taken: 3, held: 1, spent: 2 };
      await engine.client.send(new PutCommand({ TableName: engine.tableNames.quotaCounters, Item }));
      for (let i = 0; i < 200; i++) await counters.charge(live, randomUUID());
      expect(await itemOf(live)).toEqual(Item);
      const shards = await Promise.all(
        Array.from({ length: unlimitedCounterShards }, async (_, shard) => {
          const command = new GetCommand({
            TableName: engine.tableNames.quotaCounters,
            Key: { pk: `${pk}#${shard}` },
          });
          return Number((await engine.client.send(command)).Item?.['spent']);
        }),
      );
      expect(shards.reduce((sum, spent) => sum + spent, 0)).toBe(200);
      expect(Math.min(...shards)).toBeGreaterThan(0);
      expect(await counters.taken(live)).toBe(203);
    });

    it('is one write for a charge and one for a refund', async () => {
      const { live } = newAllowances(1);
      await counters.charge(live, 'a');
      await counters.charge(live, 'b');
      await counters.refund(live, 'a');
      expect(faulty.sent).toEqual(['Update', 'Update', 'Update']);
    });

    it('counts units that are granted to pending generations against the limit', async () => {
      const { live } = newAllowances(3);
      const Item = { pk: counterKey(live), taken: 2, granted: 3, returned: 1, spent: 0 };
      await engine.client.send(new PutCommand({ TableName: engine.tableNames.quotaCounters, Item }));
      expect(await counters.charge(live, 'a')).toEqual({ outcome: 'charged', taken: 3 });
      expect(await counters.charge(live, 'b')).toEqual({ outcome: 'exhausted' });
      await counters.refund(live, 'a');
      // What is granted belongs to another operation and cannot be given back here.
      await expect(counters.refund(live, 'b')).rejects.toThrow();
      expect(await itemOf(live)).toMatchObject({ taken: 2, granted: 3, returned: 1, spent: 0 });
      expect(telemetry.counted('invariantBroken')).toBe(0);
    });

    it('that does not balance raises the alarm and still serves', async () => {
      const { live } = newAllowances(9);
      const Item = { pk: counterKey(live), taken: 5, spent: 1 };
      await engine.client.send(new PutCommand({ TableName: engine.tableNames.quotaCounters, Item }));
      expect(await counters.charge(live, 'a')).toEqual({ outcome: 'charged', taken: 6 });
      expect(telemetry.counted('invariantBroken')).toBe(1);
    });
  });

  describe.each(['live', 'test'] as const)('a charge to a %s key', (kind) => {
    it.each<[Fault, number]>([
      ['lost', 1],
      ['dropped', 0],
      ['broken', 0],
    ])('whose answer is %s is sent once and has an unknown outcome', async (fault, taken) => {
      const quota = newAllowances(10)[kind];
      faulty.faults.push(fault);
      expect(await counters.charge(quota, 'a')).toEqual({ outcome: 'unknown' });
      expect(faulty.sent).toHaveLength(1);
      expect(await counters.taken(quota)).toBe(taken);
    });

    it('that was throttled is sent again and counts once', async () => {
      const quota = newAllowances(10)[kind];
      faulty.faults.push('throttled', 'throttled');
      expect(await counters.charge(quota, 'a')).toEqual({ outcome: 'charged', taken: 1 });
      expect(faulty.sent).toHaveLength(3);
    });

    it('whose answer is lost after a throttle is not sent a third time', async () => {
      const quota = newAllowances(10)[kind];
      faulty.faults.push('throttled', 'lost');
      expect(await counters.charge(quota, 'a')).toEqual({ outcome: 'unknown' });
      expect(faulty.sent).toHaveLength(2);
      expect(await counters.taken(quota)).toBe(1);
    });

    it('that is throttled to the end says so and has not been charged', async () => {
      const quota = newAllowances(10)[kind];
      faulty.faults.push('throttled', 'throttled', 'throttled');
      expect(await counters.charge(quota, 'a')).toEqual({ outcome: 'throttled' });
      expect(await counters.taken(quota)).toBe(0);
    });

    it('that the table rejects fails at once', async () => {
      faulty.faults.push('rejected');
      await expect(counters.charge(newAllowances(10)[kind], 'a')).rejects.toThrow('rejected');
      expect(faulty.sent).toHaveLength(1);
    });
  });

  describe('a charge to an IP address', () => {
    it.each<[Fault]>([['lost'], ['dropped'], ['broken'], ['throttled']])(
      'whose answer is %s is sent again and counts once',
      async (fault) => {
        const { ip } = newAllowances(10);
        faulty.faults.push(fault);
        expect(await counters.charge(ip, 'a')).toEqual({ outcome: 'charged', taken: 1 });
        expect(faulty.sent).toHaveLength(2);
        expect(await counters.taken(ip)).toBe(1);
      },
    );

    it('that took the last place and lost its answer is still admitted', async () => {
      const { ip } = newAllowances(1);
      faulty.faults.push('lost');
      expect(await counters.charge(ip, 'a')).toEqual({ outcome: 'charged', taken: 1 });
      expect(await counters.charge(ip, 'b')).toEqual({ outcome: 'exhausted' });
    });

    it('that never gets an answer has an unknown outcome', async () => {
      const { ip } = newAllowances(10);
      faulty.faults.push('lost', 'lost', 'lost');
      expect(await counters.charge(ip, 'a')).toEqual({ outcome: 'unknown' });
      expect(await counters.taken(ip)).toBe(1);
    });
  });

  describe('a refund', () => {
    it.each<['ip' | 'live' | 'test', Fault, number]>([
      ['live', 'lost', 0],
      ['live', 'dropped', 1],
      ['test', 'lost', 0],
      ['ip', 'lost', 0],
    ])('on %s that ends %s is sent once and fails', async (kind, fault, taken) => {
      const quota = newAllowances(10)[kind];
      await counters.charge(quota, 'a');
      faulty.faults.push(fault);
      await expect(counters.refund(quota, 'a')).rejects.toThrow(fault);
      expect(faulty.sent).toHaveLength(2);
      expect(await counters.taken(quota)).toBe(taken);
    });
  });

  it('are read again when an answer is lost, and fail when none ever comes', async () => {
    const { live } = newAllowances(10);
    faulty.faults.push('lost', 'throttled');
    expect(await counters.taken(live)).toBe(0);
    faulty.faults.push('dropped', 'dropped', 'dropped');
    await expect(counters.taken(live)).rejects.toThrow('dropped');
  });

  it('at random faults never hold more than was asked for nor admit more than the limit', async () => {
    const { live } = newAllowances(20);
    const kinds: readonly (Fault | 'fine')[] = ['fine', 'lost', 'fine', 'dropped', 'fine', 'broken', 'fine'];
    faulty.faults.push(...Array.from({ length: 60 }, (_, i) => kinds[(i * 5) % kinds.length] as Fault));
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, i) => counters.charge(live, `r${i}`)));
    const charged = outcomes.filter(({ outcome }) => outcome === 'charged').length;
    const unknown = outcomes.filter(({ outcome }) => outcome === 'unknown').length;
    expect(faulty.sent).toHaveLength(60);
    const taken = await counters.taken(live);
    expect(taken).toBeLessThanOrEqual(20);
    expect(taken).toBeGreaterThanOrEqual(charged);
    expect(taken).toBeLessThanOrEqual(charged + unknown);
  });
});
