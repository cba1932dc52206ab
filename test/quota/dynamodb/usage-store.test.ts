/** Runs the contract of the usage store in memory and on DynamoDB, rolls days up, and checks the size of its items. */

import { randomBytes } from 'node:crypto';
import { BatchGetCommand, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { dayWindow } from '../../../lambda/base/window';
import type { AccountId } from '../../../lambda/credentials/account-id';
import { createUsageHistory } from '../../../lambda/quota/dynamodb/usage-history';
import { createUsageMarks } from '../../../lambda/quota/dynamodb/usage-marks';
import {
  countName,
  createUsageStore,
  freeName,
  keyDayKey,
  keyName,
  usageKey,
} from '../../../lambda/quota/dynamodb/usage-store';
import {
  lastMonths,
  outcomeName,
  type UsageEntry,
  type UsageHistory,
  type UsageMarks,
  type UsageMonth,
  type UsageOutcome,
  type UsageStore,
} from '../../../lambda/quota/usage/usage';
import { createFaultyClient } from '../../aws/dynamodb/faulty-client';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { bytesOf } from '../../contracts/item-bytes';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';
import { accountId } from '../../fakes/branded';

/** A month with its counts in one order, in which nothing was free or refused unless it says so. */
const month = (of: Partial<UsageMonth> | undefined) => {
  const { counts = [], byKey = {}, freeByKey = {}, refused = {} } = of ?? {};
  const inOrder = counts.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { counts: inOrder, byKey, freeByKey, refused };
};

describe('the usage store', () => {
  let subject: TablesUnderTest;
  let store: UsageStore & UsageHistory & UsageMarks;
  let account: AccountId;

  beforeAll(async () => {
    subject = await startTables();
    store = {
      ...createUsageStore(subject.client, subject.tableNames.quotaCounters),
      ...createUsageMarks(subject.client, subject.tableNames.quotaCounters),
      ...createUsageHistory(subject.client, subject.tableNames.quotaCounters),
    };
  });
  beforeEach(() => {
    account = accountId(`acc_${randomBytes(6).toString('hex')}`);
  });
  afterAll(() => subject?.stop());

  interface Change extends Partial<Omit<UsageEntry, 'day' | 'counts'>>, Partial<UsageOutcome> {
    readonly atMs?: number;
    readonly requests?: number;
  }
  const entry = ({
    source = 'stock_a',
    cache = 'HIT',
    isFree,
    requests = 1,
    atMs = Date.UTC(2026, 10, 21, 12),
    ...of
  }: Change = {}): UsageEntry => ({
    account,
    keyId: 'key_1',
    ...of,
    day: dayWindow(atMs).label,
    counts: [{ source, cache, ...(isFree && { isFree }), requests }],
  });
  const november = async () => (await store.months(account, ['2026-11'])).get('2026-11');

  it('returns nothing for an unknown account', async () => {
    expect(await store.months(account, ['2026-11', '2026-10'])).toEqual(new Map());
  });

  it('counts by day, source, cache outcome and key', async () => {
    await store.record(entry());
    await store.record(entry());
    await store.record(entry({ source: 'ai', cache: 'MISS', keyId: 'key_2' }));
    await store.record(entry({ atMs: Date.UTC(2026, 10, 1) }));
    expect(month(await november())).toEqual(
      month({
        counts: [
          { day: 21, source: 'stock_a', cache: 'HIT', requests: 2 },
          { day: 21, source: 'ai', cache: 'MISS', requests: 1 },
          { day: 1, source: 'stock_a', cache: 'HIT', requests: 1 },
        ],
        byKey: { key_1: 3, key_2: 1 },
      }),
    );
  });

  it('adds several requests in one entry, and takes back what was counted too early', async () => {
    const counts = [
      { source: 'stock_a', cache: 'HIT', requests: 5 },
      { source: 'stock_b', cache: 'MISS', requests: 2 },
    ] as const;
    await store.record({ ...entry(), counts });
    await store.record(entry({ requests: -1 }));
    expect(month(await november())).toEqual(
      month({
        counts: [
          { day: 21, source: 'stock_a', cache: 'HIT', requests: 4 },
          { day: 21, source: 'stock_b', cache: 'MISS', requests: 2 },
        ],
        byKey: { key_1: 6 },
      }),
    );
  });

  it('counts refusals by code, and names the days of the last month apart', async () => {
    const refused = [
      { refused: 'rate_limited', requests: 5 },
      { refused: 'not_found', requests: 1 },
    ] as const;
    await store.record({ ...entry(), counts: refused });
    await store.record({ ...entry({ keyId: 'key_2', atMs: Date.UTC(2026, 10, 2) }), counts: refused });
    await store.record(entry({ atMs: Date.UTC(2026, 9, 2) }));
    const months = await store.months(account, ['2026-10', '2026-11']);
    expect([...months.keys()].sort()).toEqual(['2026-10', '2026-11', '2026-11-02', '2026-11-21']);
    expect(months.get('2026-11')).toEqual(
      month({
        counts: [],
        byKey: {},
        refused: { rate_limited: 10, not_found: 2 },
      }),
    );
    expect(months.get('2026-11-02')?.refused).toEqual({ rate_limited: 5, not_found: 1 });
  });

  it('records all of many concurrent requests', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => store.record(entry({ keyId: `key_${i % 4}` }))));
    expect(await november()).toEqual(
      month({
        counts: [{ day: 21, source: 'stock_a', cache: 'HIT', requests: 40 }],
        byKey: { key_0: 10, key_1: 10, key_2: 10, key_3: 10 },
      }),
    );
  });

  it('separates accounts and months, to the millisecond', async () => {
    await store.record(entry({ atMs: Date.UTC(2026, 11, 1) - 1 }));
    await store.record(entry({ atMs: Date.UTC(2026, 11, 1) }));
    await store.record(entry({ atMs: Date.UTC(2027, 0, 1) - 1 }));
    await store.record(entry({ account: accountId(`${account}x`) }));
    const months = await store.months(account, ['2026-11', '2026-12']);
    expect(months.get('2026-11')?.counts).toEqual([
      { day: 30, source: 'stock_a', cache: 'HIT', requests: 1 },
    ]);
    expect(months.get('2026-12')?.counts).toEqual([
      { day: 1, source: 'stock_a', cache: 'HIT', requests: 1 },
      { day: 31, source: 'stock_a', cache: 'HIT', requests: 1 },
    ]);
  });

  it('reads thirteen months and omits empty ones', async () => {
    const labels = lastMonths(Date.UTC(2026, 10, 21), 13);
    await store.record(entry({ atMs: Date.UTC(2025, 10, 5) }));
    await store.record(entry());
    const months = [...(await store.months(account, labels)).keys()].sort();
    expect(months).toEqual(['2025-11', '2026-11', '2026-11-21']);
  });

  it('marks a threshold for exactly one of many, who may repeat itself', async () => {
    const marks = Array.from({ length: 12 }, (_, i) => store.markAnnounced(account, '2026-11', 80, `${i}`));
    const results = await Promise.all(marks);
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await store.markAnnounced(account, '2026-11', 80, `${results.indexOf(true)}`)).toBe(true);
    expect(await store.markAnnounced(account, '2026-11', 100, 'late')).toBe(true);
    expect(await store.markAnnounced(account, '2026-12', 80, 'late')).toBe(true);
  });

  it('counts what was free apart, by key', async () => {
    await store.record(entry({ isFree: true }));
    await store.record(entry());
    await store.record(entry({ keyId: 'key_2' }));
    expect(await november()).toEqual(
      month({
        counts: [{ day: 21, source: 'stock_a', cache: 'HIT', requests: 2 }],
        byKey: { key_1: 1, key_2: 1 },
        freeByKey: { key_1: 1 },
      }),
    );
  });

  it('takes back a request that was counted as free, or as one that costs, and was the other', async () => {
    const counted = { source: 'stock_a', cache: 'HIT' } as const;
    await store.record(entry({ isFree: true }));
    await store.record(entry({ requests: 2 }));
    const corrected = [
      { ...counted, requests: -1 },
      { ...counted, isFree: true, requests: 1 },
    ] as const;
    await store.record({ ...entry(), counts: corrected });
    expect(await november()).toEqual(
      month({
        counts: [{ day: 21, ...counted, requests: 1 }],
        byKey: { key_1: 1 },
        freeByKey: { key_1: 2 },
      }),
    );
  });

  it('does not count an announcement as a request', async () => {
    await store.markAnnounced(account, '2026-11', 80, 'me');
    await store.record(entry());
    expect(await november()).toEqual(
      month({
        counts: [{ day: 21, source: 'stock_a', cache: 'HIT', requests: 1 }],
        byKey: { key_1: 1 },
      }),
    );
  });
});

const sources = ['stock_a', 'stock_b', 'stock_c', 'ai'] as const;
const caches = ['HIT', 'MISS'] as const;

describe('the usage store in DynamoDB', () => {
  let engine: Engine;
  let table: string;
  let account: AccountId;
  beforeAll(async () => {
    engine = await startEngine();
    table = engine.tableNames.quotaCounters;
  });
  beforeEach(() => {
    account = accountId(`acc_${randomBytes(6).toString('hex')}`);
  });
  afterAll(() => engine?.stop());

  const day = '2026-11-21';
  const entry = (change: Partial<UsageEntry> = {}): UsageEntry => ({
    account,
    keyId: 'key_1',
    day,
    counts: [{ source: 'stock_a', cache: 'HIT', requests: 1 }],
    ...change,
  });
  const itemAt = async (pk: string) =>
    (await engine.client.send(new GetCommand({ TableName: table, Key: { pk } }))).Item;
  const store = () => createUsageStore(engine.client, table);
  const history = () => createUsageHistory(engine.client, table);
  const days = () => history().months(account, ['2026-11']);
  const november = async (): Promise<UsageMonth | undefined> =>
    (await history().months(account, ['2026-11'])).get('2026-11');

  it('records with one write to the item of the account, the day and the key', async () => {
    const sent: UpdateCommandInput[] = [];
    const client = {
      send: async (command: InstanceType<typeof UpdateCommand>) => {
        sent.push(command.input);
        return {};
      },
    };
    await createUsageStore(client as never, 'table').record(entry());
    expect(sent).toHaveLength(1);
    expect(sent[0]?.Key).toEqual({ pk: `U#${account}#2026-11-21#key_1` });
  });

  it('keeps such an item under 1 KB: every source, every cache outcome, the longest names and numbers', async () => {
    const keyId = `key_${'0'.repeat(22)}`;
    const answered = sources.flatMap((source) =>
      caches.flatMap((cache) => {
        const counted = { source, cache, requests: 2_147_483_647 };
        return [counted, { ...counted, isFree: true } as const];
      }),
    );
    // What callers with a credential can be refused with again and again.
    const codes = [
      'invalid_parameter',
      'no_image_found',
      'content_refused',
      'rate_limited',
      'quota_exceeded',
    ] as const;
    const counts = [...answered, ...codes.map((refused) => ({ refused, requests: 2_147_483_647 }))];
    await store().record(entry({ keyId, counts }));
    const item = (await itemAt(keyDayKey(account, day, keyId))) ?? {};
    expect(Object.keys(item)).toHaveLength(counts.length + 4);
    expect(bytesOf(item)).toBeLessThan(900);
    expect(counts.map(outcomeName).every((name) => name in item)).toBe(true);
  });

  it('expires thirteen months after the end of the month, in epoch seconds, as added up days and marks do', async () => {
    await store().record(entry());
    await history().rollUp('2026-11-22');
    await createUsageMarks(engine.client, table).markAnnounced(account, '2026-11', 80, 'a');
    const keys = [keyDayKey(account, day, 'key_1'), usageKey(account, day), usageKey(account, '2026-11')];
    for (const pk of keys) expect((await itemAt(pk))?.['ttl']).toBe(Date.UTC(2027, 11, 31 + 1) / 1_000);
  });

  it('does not repeat a write whose answer was lost', async () => {
    const faulty = createFaultyClient(engine.client);
    faulty.faults.push('lost');
    await expect(createUsageStore(faulty.client, table).record(entry())).rejects.toThrow();
    expect(faulty.sent).toHaveLength(1);
  });

  it('asks again for what a batch left out', async () => {
    for (const keyId of ['key_1', 'key_2']) await store().record(entry({ keyId }));
    const send = async (command: InstanceType<typeof BatchGetCommand>) => {
      if (!(command instanceof BatchGetCommand)) return engine.client.send(command);
      const [first, ...rest] = command.input.RequestItems?.[table]?.Keys ?? [];
      const RequestItems = { [table]: { Keys: [first ?? {}], ConsistentRead: true } };
      const page = await engine.client.send(new BatchGetCommand({ RequestItems }));
      return { ...page, ...(rest.length === 0 ? {} : { UnprocessedKeys: { [table]: { Keys: rest } } }) };
    };
    const leavingOut = createUsageHistory({ ...engine.client, send } as never, table);
    expect((await leavingOut.months(account, ['2026-11'])).get('2026-11')?.byKey).toEqual({
      key_1: 1,
      key_2: 1,
    });
  });

  it('adds what months from before hold in one item to what their days hold since', async () => {
    await engine.client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk: usageKey(account, '2026-11') },
        UpdateExpression: 'ADD #count :two, #key :two, #free :one',
        ExpressionAttributeNames: {
          '#count': countName({ day: 21, source: 'stock_a', cache: 'HIT' }),
          '#key': keyName('key_1'),
          '#free': freeName('key_1'),
        },
        ExpressionAttributeValues: { ':two': 2, ':one': 1 },
      }),
    );
    await store().record(entry({ counts: [{ source: 'stock_a', cache: 'HIT', isFree: true, requests: 1 }] }));
    expect(await november()).toEqual(
      month({
        counts: [{ day: 21, source: 'stock_a', cache: 'HIT', requests: 2 }],
        byKey: { key_1: 2 },
        freeByKey: { key_1: 2 },
      }),
    );
  });

  describe('rolling up', () => {
    const recordDays = async () => {
      for (const keyId of ['key_1', 'key_2', 'key_3'])
        for (const on of ['2026-11-20', '2026-11-21'])
          await store().record(
            entry({
              keyId,
              day: on,
              counts: [
                { source: 'ai', cache: 'MISS', requests: 1 },
                { source: 'ai', cache: 'MISS', isFree: true, requests: 1 },
                { refused: 'rate_limited', requests: 1 },
              ],
            }),
          );
    };

    it('leaves every sum as it was, and touches no day from the given one on', async () => {
      await recordDays();
      const before = await november();
      await history().rollUp('2026-11-21');
      expect(await november()).toEqual(before);
      expect(await itemAt(usageKey(account, '2026-11-20'))).toMatchObject({
        'd#20#ai#MISS': 3,
        'k#key_2': 1,
        'f#key_2': 1,
        'r#rate_limited': 3,
      });
      expect((await days()).get('2026-11-20')?.byKey).toEqual({ key_1: 1, key_2: 1, key_3: 1 });
      expect(await itemAt(usageKey(account, '2026-11-21'))).toBeUndefined();
      await store().record(entry({ keyId: 'key_2' }));
      expect((await november())?.byKey).toEqual({ key_1: 2, key_2: 3, key_3: 2 });
    });

    it('is exact wherever it is stopped, and when it is repeated from there', async () => {
      for (let crashAfter = 0; crashAfter < 12; crashAfter++) {
        account = accountId(`acc_${randomBytes(6).toString('hex')}`);
        await recordDays();
        const before = await november();
        const faulty = createFaultyClient(engine.client);
        // All answers are lost from some call on: applied or not, the run cannot know.
        faulty.faults.push(
          ...Array(crashAfter).fill('fine'),
          ...Array(30).fill(crashAfter % 2 ? 'lost' : 'dropped'),
        );
        await createUsageHistory({ ...faulty.client, pause: async () => undefined }, table)
          .rollUp('2026-11-22')
          .catch(() => undefined);
        expect(await november()).toEqual(before);
        await Promise.all([history().rollUp('2026-11-22'), history().rollUp('2026-11-22')]);
        expect(await november()).toEqual(before);
        expect(await history().rollUp('2026-11-22')).toBe(0);
      }
    });
  });

  it('stays far below 400 KB for a rolled-up day of an account with ten thousand keys', () => {
    const names = sources.flatMap((source) => caches.map((cache) => countName({ day: 31, source, cache })));
    const keys = Array.from({ length: 10_000 }, (_, i) => keyName(`key_${String(i).padStart(18, '0')}`));
    const item = Object.fromEntries([...names, ...keys].map((name) => [name, 123_456_789]));
    expect(bytesOf(item)).toBeLessThan(350_000);
  });
});
