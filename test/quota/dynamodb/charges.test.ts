/** The contract of the charges, row by row of the charging protocol. */

import { randomBytes } from 'node:crypto';
import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../../../lambda/aws/dynamodb/call';
import { ulidOf } from '../../../lambda/base/ulid';
import { monthWindow } from '../../../lambda/base/window';
import { unlimitedRequests } from '../../../lambda/contract/plans';
import { createCharges, grantUnit } from '../../../lambda/quota/dynamodb/charges';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { counterKey, type Limit, reservationsKey } from '../../../lambda/quota/quota';
import type {
  Charges,
  PendingOperation,
  Reservation,
  ReservationLimits,
} from '../../../lambda/quota/reservations';
import { bytesOf } from '../../contracts/item-bytes';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';
import { accountId } from '../../fakes/branded';
import { createRecordedTelemetry, type RecordedTelemetry } from '../../fakes/recorded-telemetry';

const startMs = Date.UTC(2026, 10, 21, 12);
const leaseMs = 150_000;
const throttled = new ProvisionedThroughputExceededException({
  message: 'Slow down',
  $metadata: { httpStatusCode: 400 },
});

jest.setTimeout(30_000);

describe('the charges', () => {
  let subject: TablesUnderTest;
  let charges: Charges;
  let telemetry: RecordedTelemetry;
  let quota: Limit;
  let nowMs: number;

  beforeAll(async () => {
    subject = await startTables();
  });
  beforeEach(() => {
    nowMs = startMs;
    telemetry = createRecordedTelemetry();
    charges = chargesOver(subject.client as Database);
    const account = accountId(randomBytes(8).toString('hex'));
    quota = {
      counter: { kind: 'account', account, mode: 'live' },
      limit: 5,
      window: monthWindow(startMs),
    };
  });
  afterAll(() => subject?.stop());

  const chargesOver = (db: Database): Charges =>
    createCharges({
      db,
      tableName: subject.tableNames.quotaCounters,
      clock: { nowMs: () => nowMs },
      telemetry,
    });
  const operation = (atMs = nowMs): PendingOperation => ({
    quotaKey: reservationsKey(quota),
    execution: ulidOf(atMs, randomBytes(10)),
    cost: 1,
    imageId: randomBytes(16).toString('hex'),
    dueMs: atMs + leaseMs,
  });
  const limits = (heldMax = 100): ReservationLimits => ({ quota, heldMax });
  const reserve = (one: PendingOperation, heldMax?: number) => charges.reserve(one, limits(heldMax));
  const reserved = async (atMs?: number) => {
    const one = operation(atMs);
    expect((await reserve(one)).outcome).toBe('reserved');
    return one;
  };
  const item = async (pk = reservationsKey(quota)): Promise<Record<string, unknown>> => {
    const Key = { pk };
    const command = new GetCommand({
      TableName: subject.tableNames.quotaCounters,
      Key,
      ConsistentRead: true,
    });
    return (await subject.client.send(command)).Item ?? {};
  };
  /** What the reservations hold, and what the counter says is taken. */
  const sums = async () => {
    const { held, spent } = await item();
    const { taken } = await item(counterKey(quota));
    return { taken, held, spent };
  };
  const charge = () =>
    createQuotaCounters(subject.client as Database, subject.tableNames.quotaCounters, telemetry).charge(
      quota,
      'r',
    );
  const dueItems = async (byMs: number) => {
    const keys: string[] = [];
    for await (const key of charges.itemsDue(byMs)) keys.push(key);
    return keys;
  };
  const prunableOf = (reservation: Reservation) =>
    reservation.outcome === 'reserved' ? reservation.prunable : ['not reserved'];

  describe('reserve', () => {
    it('holds the cost on an item that does not exist yet', async () => {
      expect(await reserve(operation())).toEqual({
        outcome: 'reserved',
        prunable: [],
        overdue: [],
        taken: 1,
      });
      expect(await sums()).toEqual({ taken: 1, held: 1, spent: 0 });
    });

    it('lets its items expire 35 days after the month, whichever write comes first', async () => {
      await reserve(operation());
      for (const pk of [reservationsKey(quota), counterKey(quota)])
        expect((await item(pk))['ttl']).toBe(quota.window.endMs / 1_000 + 35 * 86_400);
    });

    it('adds at most 48 bytes, the name included, and finds everything in them again', async () => {
      const one = await reserved();
      const { bytes } = Object.entries(await item()).reduce(
        (found, [name, value]) =>
          name.startsWith('op#') ? { bytes: found.bytes + bytesOf({ [name]: value }) } : found,
        { bytes: 0 },
      );
      expect(bytes).toBe(48);
      const free = { ...operation(), cost: 0 };
      await reserve(free);
      const pending = await charges.pendingOf(reservationsKey(quota));
      expect(pending).toHaveLength(2);
      expect(pending).toEqual(expect.arrayContaining([one, free]));
    });

    it('says so when the item takes no more writes, and holds nothing', async () => {
      const slow = chargesOver({ send: () => Promise.reject(throttled), pause: async () => undefined });
      expect(await slow.reserve(operation(), limits())).toEqual({ outcome: 'throttled' });
      expect(await sums()).toEqual({ taken: undefined, held: undefined, spent: undefined });
    });

    it('holds one place however often it is repeated, and one unit once the others are given back', async () => {
      const one = await reserved();
      expect(await reserve(one)).toMatchObject({ outcome: 'reserved', taken: 2 });
      expect(await sums()).toEqual({ taken: 2, held: 1, spent: 0 });
      await charges.close(one.quotaKey);
      expect(await sums()).toEqual({ taken: 1, held: 1, spent: 0 });
    });

    it('leaves no place behind where the unit is refused', async () => {
      quota = { ...quota, limit: 1 };
      await reserved();
      expect(await reserve(operation())).toEqual({ outcome: 'quota_exceeded' });
      expect(await item()).toMatchObject({ taken: 1, held: 1, begun: 2 });
    });

    it('leaves no place behind where the counter takes no more writes', async () => {
      const { client } = subject;
      const send = (command: GetCommand) =>
        (command.input as { readonly Key?: { readonly pk?: string } }).Key?.pk === counterKey(quota)
          ? Promise.reject(throttled)
          : (client as Database).send(command);
      const slow = chargesOver({ send: send as Database['send'], pause: async () => undefined });
      expect(await slow.reserve(operation(), limits())).toEqual({ outcome: 'throttled' });
      expect(await sums()).toEqual({ taken: undefined, held: 0, spent: 0 });
      nowMs += 60_001;
      await charges.close(reservationsKey(quota));
      expect((await item(counterKey(quota)))['ttl']).toBe(quota.window.endMs / 1_000 + 35 * 86_400);
    });

    it('is stale when its id was given back', async () => {
      const one = await reserved();
      await charges.refund(one, []);
      expect(await reserve(one)).toEqual({ outcome: 'stale' });
      expect(await sums()).toEqual({ taken: 0, held: 0, spent: 0 });
    });

    it('is stale when its id was committed', async () => {
      const one = await reserved();
      await charges.commit(one, []);
      expect(await reserve(one)).toEqual({ outcome: 'stale' });
      expect(await sums()).toEqual({ taken: 1, held: 0, spent: 1 });
    });

    it('is refused when the quota is used up, also by ordinary requests', async () => {
      for (let i = 0; i < 4; i++) await charges.commit(await reserved(), []);
      expect(await charge()).toEqual({ outcome: 'charged', taken: 5 });
      expect(await reserve(operation())).toEqual({ outcome: 'quota_exceeded' });
      expect(await sums()).toEqual({ taken: 5, held: 0, spent: 4 });
      expect(await charge()).toEqual({ outcome: 'exhausted' });
    });

    it('is refused at the new limit after a plan was lowered below what is taken', async () => {
      for (let i = 0; i < 4; i++) await charges.commit(await reserved(), []);
      quota = { ...quota, limit: 3 };
      expect(await reserve(operation())).toEqual({ outcome: 'quota_exceeded' });
      expect(await sums()).toEqual({ taken: 4, held: 0, spent: 4 });
    });

    it('is refused at the maximum of held units, with that reason', async () => {
      await reserved();
      await reserved();
      expect(await reserve(operation(), 2)).toEqual({ outcome: 'too_many_generations' });
      expect(await sums()).toEqual({ taken: 2, held: 2, spent: 0 });
    });

    it('is refused by no limit where there is none, but by the cap all the same', async () => {
      quota = { ...quota, limit: unlimitedRequests };
      for (let i = 0; i < 7; i++) await reserved();
      expect(await reserve(operation(), 7)).toEqual({ outcome: 'too_many_generations' });
    });

    it('admits exactly the limit of many concurrent requests', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => reserve(operation(), 20)));
      expect(all.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(5);
      expect(all.filter(({ outcome }) => outcome === 'quota_exceeded')).toHaveLength(15);
      expect(await sums()).toEqual({ taken: 5, held: 5, spent: 0 });
    });

    it('brings the operations of others whose time is over, and not itself', async () => {
      const old = await reserved();
      nowMs += leaseMs;
      expect(await reserve(old)).toMatchObject({ outcome: 'reserved', overdue: [] });
      const reservation = await reserve(operation());
      expect(reservation).toMatchObject({ outcome: 'reserved', overdue: [old] });
      nowMs -= 1;
      expect(await reserve(operation())).toMatchObject({ outcome: 'reserved', overdue: [] });
    });
  });

  describe.each(['commit', 'refund'] as const)('%s', (settle) => {
    const after = settle === 'commit' ? { taken: 1, held: 0, spent: 1 } : { taken: 0, held: 0, spent: 0 };
    const opposite = settle === 'commit' ? 'refund' : 'commit';

    it('settles a held operation once, however often it is repeated', async () => {
      const one = await reserved();
      expect(await charges[settle](one, [])).toBe('settled');
      expect(await charges[settle](one, [])).toBe('settled');
      expect(await sums()).toEqual(after);
      expect(telemetry.counted('invariantBroken')).toBe(0);
    });

    it('raises no alarm on a counter that has granted units since its account has a limit', async () => {
      const limited = quota;
      quota = { ...quota, limit: unlimitedRequests };
      const one = await reserved();
      quota = limited;
      await reserved();
      expect(await charges[settle](one, [])).toBe('settled');
      expect(telemetry.counted('invariantBroken')).toBe(0);
    });

    it('raises the alarm and changes nothing when the opposite was done', async () => {
      const one = await reserved();
      await charges[opposite](one, []);
      const before = await item();
      expect(await charges[settle](one, [])).toBe('broken');
      expect(await item()).toEqual(before);
      expect(telemetry.counted('invariantBroken')).toBe(1);
    });

    it('takes an operation that was pruned for settled', async () => {
      const one = await reserved();
      await charges[settle](one, []);
      nowMs += 60_000;
      const next = await reserved();
      await charges[settle](next, [one.execution]);
      expect(await charges[settle](one, [])).toBe('settled');
      expect(telemetry.counted('invariantBroken')).toBe(0);
    });

    it('does not change the entries of others', async () => {
      const [one] = [await reserved(), await reserved()];
      expect(await charges[settle](one as PendingOperation, [])).toBe('settled');
      expect(await sums()).toEqual({ ...after, taken: after.taken + 1, held: 1 });
    });
  });

  it('raises the alarm when a unit is committed that was never held', async () => {
    expect(await charges.commit(operation(), [])).toBe('broken');
    expect(telemetry.counted('invariantBroken')).toBe(1);
  });

  it('gives back nothing, silently, when the unit was never held', async () => {
    await reserved();
    expect(await charges.refund(operation(), [])).toBe('settled');
    expect(await sums()).toEqual({ taken: 1, held: 1, spent: 0 });
  });

  it('settles ten concurrent operations without losing one', async () => {
    quota = { ...quota, limit: 100 };
    const all = await Promise.all(Array.from({ length: 10 }, () => reserved()));
    const settled = await Promise.all(
      all.map((one, i) => (i % 2 === 0 ? charges.commit(one, []) : charges.refund(one, []))),
    );
    expect(new Set(settled)).toEqual(new Set(['settled']));
    expect(await sums()).toEqual({ taken: 5, held: 0, spent: 5 });
    nowMs += 60_000;
    await charges.close(reservationsKey(quota));
    expect((await item())['sweepAt']).toBeUndefined();
  });

  describe('close', () => {
    const settledOne = async () => {
      const one = await reserved();
      await charges.commit(one, []);
      return one;
    };
    /** A copy of the grant to an operation, as a network may deliver it at any time. */
    const lateGrant = ({ execution }: PendingOperation) =>
      grantUnit(
        {
          db: subject.client as Database,
          tableName: subject.tableNames.quotaCounters,
          clock: { nowMs: () => nowMs },
          telemetry,
        },
        counterKey(quota),
        quota,
        execution,
      );

    it('gives back a unit that was granted twice, once', async () => {
      const one = await settledOne();
      await lateGrant(one);
      expect(await sums()).toEqual({ taken: 2, held: 0, spent: 1 });
      nowMs += 60_000;
      await Promise.all([1, 2, 3].map(() => charges.close(one.quotaKey)));
      expect(await sums()).toEqual({ taken: 1, held: 0, spent: 1 });
      expect(await item(counterKey(quota))).toMatchObject({ granted: 2, returned: 1 });
      expect(telemetry.counted('invariantBroken')).toBe(0);
    });

    it('gives it back while others are pending, and leaves them theirs', async () => {
      const one = await settledOne();
      await reserved();
      await lateGrant(one);
      await charges.close(one.quotaKey);
      expect(await sums()).toEqual({ taken: 2, held: 1, spent: 1 });
    });

    it('refuses every later copy of a grant to what it has closed, and none above', async () => {
      const one = await settledOne();
      nowMs += 60_000;
      await charges.close(one.quotaKey);
      expect(await lateGrant(one)).toEqual({ outcome: 'stale' });
      expect(await sums()).toEqual({ taken: 1, held: 0, spent: 1 });
      await reserved();
    });

    it('is stale, and leaves no place behind, for an id below what is closed', async () => {
      const late = operation();
      const one = await reserved(nowMs + 1);
      await charges.commit(one, []);
      nowMs += 60_001;
      await charges.close(one.quotaKey);
      expect(await reserve(late)).toEqual({ outcome: 'stale' });
      expect(await sums()).toEqual({ taken: 1, held: 0, spent: 1 });
    });

    it('keeps an item due while something is pending, and for a minute', async () => {
      const one = await reserved();
      nowMs += 60_000;
      await charges.close(one.quotaKey);
      expect((await item())['sweepAt']).toBe(one.dueMs);
      const two = await reserved();
      await charges.commit(one, []);
      await charges.commit(two, []);
      nowMs += 59_999;
      await charges.close(one.quotaKey);
      expect((await item())['sweepAt']).toBe(one.dueMs);
      nowMs += 1;
      await charges.close(one.quotaKey);
      expect((await item())['sweepAt']).toBeUndefined();
    });

    it('takes no unit from an operation that begins between its two reads', async () => {
      const one = await settledOne();
      await lateGrant(one);
      const client = subject.client as Database;
      let began: Promise<unknown> | undefined;
      const send = async (command: GetCommand) => {
        const answer = await client.send(command);
        if (command instanceof GetCommand && !began) {
          began = reserved();
          await began;
        }
        return answer;
      };
      const slow = chargesOver({ send: send as Database['send'] });
      await slow.close(one.quotaKey);
      expect(began).toBeDefined();
      const { granted, returned = 0 } = await item(counterKey(quota));
      expect(Number(granted) - Number(returned)).toBeGreaterThanOrEqual(2);
      await charges.close(one.quotaKey);
      expect(await sums()).toEqual({ taken: 2, held: 1, spent: 1 });
    });

    it('keeps an item due in which something has begun since it was read', async () => {
      const one = await settledOne();
      nowMs += 60_000;
      const client = subject.client as Database;
      let isLate = false;
      const send = async (command: GetCommand) => {
        const { UpdateExpression = '' } = command.input as { readonly UpdateExpression?: string };
        if (UpdateExpression.includes('REMOVE sweepAt') && !isLate) {
          isLate = true;
          await charges.refund(await reserved(), []);
        }
        return client.send(command);
      };
      const slow = chargesOver({ send: send as Database['send'] });
      await slow.close(one.quotaKey);
      expect(isLate).toBe(true);
      expect((await item())['sweepAt']).toBe(one.dueMs);
    });

    it('gives a refunded unit back at once', async () => {
      quota = { ...quota, limit: 1 };
      const one = await reserved();
      expect(await charge()).toEqual({ outcome: 'exhausted' });
      await charges.refund(one, []);
      expect(await charge()).toEqual({ outcome: 'charged', taken: 1 });
    });

    it('needs no counter where there is no limit', async () => {
      quota = { ...quota, limit: unlimitedRequests };
      const one = await settledOne();
      nowMs += 60_000;
      await charges.close(one.quotaKey);
      expect(await item()).toMatchObject({ taken: 1, spent: 1 });
      expect((await item())['sweepAt']).toBeUndefined();
    });

    it('leaves an item that is not there alone', async () => {
      await charges.close('Q#unknown#2026-11#held');
      expect(await item('Q#unknown#2026-11')).toEqual({});
    });
  });

  describe('pruning', () => {
    const settleMany = async (count: number) => {
      quota = { ...quota, limit: 100 };
      const ids: string[] = [];
      for (let i = 0; i < count; i++) {
        const one = await reserved(nowMs + i);
        ids.push(one.execution);
        await charges.commit(one, []);
      }
      return ids;
    };

    it('offers settled entries from a minute on, oldest first, and never pending ones', async () => {
      const [first, second] = [await reserved(nowMs - 2), await reserved(nowMs - 1)];
      await reserved(nowMs - 1);
      await charges.refund(second as PendingOperation, []);
      await charges.commit(first as PendingOperation, []);
      nowMs += 59_998;
      expect(prunableOf(await reserve(operation()))).toEqual([first?.execution]);
      nowMs += 1;
      expect(prunableOf(await reserve(operation()))).toEqual([first?.execution, second?.execution]);
    });

    it('removes the given entries in the settling write and raises the watermark to the highest of them', async () => {
      const [one, two] = [await reserved(nowMs - 2), await reserved(nowMs - 1)];
      await charges.refund(one as PendingOperation, []);
      await charges.commit(two as PendingOperation, []);
      nowMs += 60_000;
      const three = operation();
      const reservation = await reserve(three);
      await charges.commit(three, prunableOf(reservation));
      const left = await item();
      expect(left['wm']).toBe(two?.execution);
      expect(Object.keys(left).filter((key) => key.startsWith('op#'))).toEqual([`op#${three.execution}`]);
      expect(await sums()).toEqual({ taken: 2, held: 0, spent: 2 });
    });

    it('refuses every id at or below the watermark at any time, and none above it', async () => {
      const before = operation(nowMs - 5_000);
      const one = await reserved();
      await charges.refund(one, []);
      nowMs += 60_000;
      await charges.refund(await reserved(), [one.execution]);
      expect(await reserve(before)).toEqual({ outcome: 'stale' });
      expect(await reserve(one)).toEqual({ outcome: 'stale' });
      await reserved();
    });

    it('keeps entries that are too young by its own clock, whatever the arguments', async () => {
      const one = await reserved();
      await charges.commit(one, []);
      nowMs += 59_999;
      await charges.commit(await reserved(), [one.execution]);
      const left = await item();
      expect(left['wm']).toBeUndefined();
      expect(left[`op#${one.execution}`]).toBe('C');
    });

    it('never lowers the watermark: a stale list settles without pruning', async () => {
      const [one, two] = [await reserved(nowMs - 2), await reserved(nowMs - 1)];
      await charges.refund(one as PendingOperation, []);
      await charges.refund(two as PendingOperation, []);
      nowMs += 60_000;
      const [three, four] = [await reserved(), await reserved()];
      await charges.commit(three as PendingOperation, [two?.execution as string]);
      expect(await charges.commit(four as PendingOperation, [one?.execution as string])).toBe('settled');
      expect((await item())['wm']).toBe(two?.execution);
      expect(await sums()).toEqual({ taken: 2, held: 0, spent: 2 });
    });

    it('keeps a pending operation below the watermark, and settles it', async () => {
      const [slow, quick] = [await reserved(nowMs - 2), await reserved(nowMs - 1)];
      await charges.commit(quick as PendingOperation, []);
      nowMs += 60_000;
      await charges.commit(await reserved(), [quick?.execution as string]);
      expect(await charges.pendingOf(reservationsKey(quota))).toEqual([slow]);
      expect(await charges.refund(slow as PendingOperation, [])).toBe('settled');
      expect(await sums()).toEqual({ taken: 2, held: 0, spent: 2 });
    });

    it('prunes while others still hold units', async () => {
      const one = await reserved();
      await charges.commit(one, []);
      nowMs += 60_000;
      const [two] = [await reserved(), await reserved()];
      await charges.commit(two as PendingOperation, [one.execution]);
      expect((await item())['wm']).toBe(one.execution);
      expect((await item())[`op#${one.execution}`]).toBeUndefined();
    });

    it('offers at most twenty entries to one write, the newest, in ascending order', async () => {
      const ids = await settleMany(25);
      nowMs += 120_000;
      expect(prunableOf(await reserve(operation()))).toEqual(ids.slice(-20));
    });

    it('continues when more late entries than one write removes are below the watermark', async () => {
      quota = { ...quota, limit: 100 };
      const late: PendingOperation[] = [];
      for (let i = 0; i < 22; i++) late.push(await reserved(nowMs + i));
      const quick = await reserved(nowMs + 30);
      await charges.commit(quick, []);
      nowMs += 120_000;
      await charges.commit(await reserved(), [quick.execution]);
      for (const one of late) await charges.refund(one, []);
      for (let i = 0; i < 4; i++) {
        nowMs += 120_000;
        const next = operation();
        const reservation = await reserve(next, 100);
        await charges.commit(next, prunableOf(reservation));
      }
      const left = Object.keys(await item()).filter((key) => key.startsWith('op#'));
      expect(left.length).toBeLessThanOrEqual(2);
    });
  });

  describe('the sweeper’s index', () => {
    it('lists an item while it holds units that are due, until it is closed', async () => {
      const key = reservationsKey(quota);
      const [one, two] = [await reserved(), await reserved()];
      expect(await dueItems(nowMs + leaseMs - 1)).not.toContain(key);
      expect(await dueItems(nowMs + leaseMs)).toContain(key);
      await charges.commit(one as PendingOperation, []);
      expect(await dueItems(nowMs + leaseMs)).toContain(key);
      await charges.refund(two as PendingOperation, []);
      expect(await dueItems(nowMs + leaseMs)).toContain(key);
      nowMs += 60_000;
      await charges.close(key);
      expect(await dueItems(nowMs + 10 * leaseMs)).not.toContain(key);
      await reserved();
      expect(await dueItems(nowMs + leaseMs)).toContain(key);
    });

    it('reads all pages', async () => {
      const keys: string[] = [];
      for (let i = 0; i < 30; i++) {
        const account = accountId(randomBytes(8).toString('hex'));
        quota = { ...quota, counter: { kind: 'account', account, mode: 'test' } };
        keys.push((await reserved()).quotaKey);
      }
      expect(await dueItems(nowMs + leaseMs)).toEqual(expect.arrayContaining(keys));
    });
  });

  describe('pendingOf', () => {
    it('returns the unsettled operations completely', async () => {
      const [one, two] = [await reserved(), await reserved()];
      await charges.commit(one as PendingOperation, []);
      expect(await charges.pendingOf(reservationsKey(quota))).toEqual([two]);
    });

    it('returns nothing for an unknown item', async () => {
      expect(await charges.pendingOf('Q#unknown#2026-11')).toEqual([]);
    });
  });
});
