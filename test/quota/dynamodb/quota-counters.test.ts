/** Runs the contract of the quota counters on the fake and on DynamoDB, with failing calls. */

import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '../../../lambda/aws/dynamodb/commands';
import { unlimitedCounterShards, unlimitedRequests } from '../../../lambda/contract/plans';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { counterKey, type Limit } from '../../../lambda/quota/quota';
import type { QuotaCounters } from '../../../lambda/quota/quota-counters';
import { createFaultyClient, type Fault, type FaultyClient } from '../../aws/dynamodb/faulty-client';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { describeQuotaCounters, newAllowances } from '../../contracts/quota-counters';
import { createFakeQuotaCounters } from '../../fakes/quota-counters';
import { createRecordedTelemetry, type RecordedTelemetry } from '../../fakes/recorded-telemetry';

describeQuotaCounters('in memory', async () => ({ counters: createFakeQuotaCounters() }));

describeQuotaCounters('DynamoDB', async () => {
  const engine = await startEngine();
  const counters = createQuotaCounters(
    // Without the adapters' deadlines, which are real time: 200 calls at once may outlast them on a busy machine.
    { send: (command) => engine.client.send(command) },
    engine.tableNames.quotaCounters,
    createRecordedTelemetry(),
  );
  return { counters, stop: engine.stop };
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
      expect(faulty.sent).toEqual(['UpdateCommand', 'UpdateCommand', 'UpdateCommand']);
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
      ['live', 'throttled', 1],
      ['test', 'lost', 0],
      ['ip', 'lost', 0],
      ['ip', 'throttled', 1],
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
