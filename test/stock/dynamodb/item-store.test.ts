/** Runs the contract of a store of items in memory and on DynamoDB, with tests of DynamoDB's particulars. */

import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../../../lambda/aws/dynamodb/call';
import type { ItemStore } from '../../../lambda/base/item-store';
import { createItemStore } from '../../../lambda/stock/dynamodb/item-store';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { startTables, type TablesUnderTest } from '../../contracts/tables-under-test';
import { createVirtualClock, type VirtualClock } from '../../fakes/virtual-clock';

describe('the store of items', () => {
  let subject: TablesUnderTest;
  let store: ItemStore;
  let clock: VirtualClock;
  let key: string;

  beforeAll(async () => {
    subject = await startTables();
  });
  beforeEach(() => {
    clock = createVirtualClock(Date.now());
    store = createItemStore(subject.client, subject.tableNames.cache, clock);
    key = randomBytes(8).toString('hex');
  });
  afterAll(() => subject?.stop());

  const stored = <T>(value: T, freshForMs = 1_000, staleForMs = 0) => ({
    value,
    freshUntilMs: clock.nowMs() + freshForMs,
    staleUntilMs: clock.nowMs() + freshForMs + staleForMs,
  });

  it('returns nothing for an unknown key', async () => {
    expect(await store.read(key)).toBeUndefined();
  });

  it('gives back exactly what was written, with its times', async () => {
    const written = stored({ text: 'Ærø “bay”', list: [1, null, { deep: true }], empty: {} }, 1_000, 2_000);
    await store.write(key, written);
    expect(await store.read(key)).toEqual(written);
  });

  it('gives back a stale value until its second end, and nothing after it', async () => {
    const written = stored('old', 1_000, 2_000);
    await store.write(key, written);
    await clock.advance(2_999);
    expect(await store.read(key)).toEqual(written);
    await clock.advance(1);
    expect(await store.read(key)).toBeUndefined();
  });

  it('reads the latest value as it was written, stale until its second end, and nothing after it', async () => {
    expect(await store.readLatest(key)).toBeUndefined();
    await store.write(key, stored('first', 0, 60_000));
    const second = stored(['second', { deep: 'é' }], 0, 2_000);
    await store.write(key, second);
    expect(await store.readLatest(key)).toEqual(second);
    await clock.advance(1_999);
    expect(await store.readLatest(key)).toEqual(second);
    await clock.advance(1);
    expect(await store.readLatest(key)).toBeUndefined();
  });

  it('shows the holder of a lease every value that an earlier holder wrote', async () => {
    const add = async (holder: string): Promise<void> => {
      while ((await store.lease(key, holder, 60_000)).outcome !== 'leased') await Promise.resolve();
      const list = (await store.readLatest<readonly string[]>(key))?.value ?? [];
      await store.write(key, stored([...list, holder], 0, 60_000));
    };
    const holders = Array.from({ length: 8 }, (_, index) => `holder-${index}`);
    await Promise.all(holders.map(add));
    const { value } = (await store.readLatest<readonly string[]>(key)) ?? { value: [] };
    expect([...value].sort()).toEqual(holders);
  });

  it('reads no value from a key that is only leased', async () => {
    await store.lease(key, 'me', 1_000);
    expect(await store.readLatest(key)).toBeUndefined();
  });

  it('leases a key to exactly one of many concurrent callers', async () => {
    const wanting = Array.from({ length: 25 }, (_, index) => store.lease(key, `holder-${index}`, 1_000));
    const outcomes = (await Promise.all(wanting)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'leased')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(24);
  });

  it('lets the holder repeat its request, because the first response may have been lost', async () => {
    expect(await store.lease(key, 'me', 1_000)).toEqual({ outcome: 'leased' });
    expect(await store.lease(key, 'me', 1_000)).toEqual({ outcome: 'leased' });
  });

  it('leases again when the lease has run out', async () => {
    await store.lease(key, 'first', 1_000);
    await clock.advance(999);
    expect(await store.lease(key, 'second', 1_000)).toEqual({ outcome: 'busy' });
    await clock.advance(1);
    expect(await store.lease(key, 'second', 1_000)).toEqual({ outcome: 'leased' });
  });

  it('leases again once the holder has released the key, which only the holder can', async () => {
    await store.lease(key, 'first', 1_000);
    await store.release(key, 'second');
    expect(await store.lease(key, 'second', 1_000)).toEqual({ outcome: 'busy' });
    await store.release(key, 'first');
    expect(await store.lease(key, 'second', 1_000)).toEqual({ outcome: 'leased' });
  });

  it('answers with the value instead of a lease while the value is fresh', async () => {
    await store.lease(key, 'first', 1_000);
    const written = stored(['found']);
    await store.write(key, written);
    expect(await store.lease(key, 'second', 1_000)).toEqual({ outcome: 'fresh', stored: written });
  });

  it('leases a stale value and keeps it readable meanwhile', async () => {
    const written = stored('old', 1_000, 60_000);
    await store.write(key, written);
    await clock.advance(1_000);
    expect(await store.lease(key, 'me', 5_000)).toEqual({ outcome: 'leased' });
    expect(await store.lease(key, 'other', 5_000)).toEqual({ outcome: 'busy' });
    expect(await store.read(key)).toEqual(written);
  });

  it('ends the lease with the write, so that the next stale value can be leased at once', async () => {
    await store.lease(key, 'first', 60_000);
    await store.write(key, stored('short', 10, 60_000));
    await clock.advance(10);
    expect(await store.lease(key, 'second', 1_000)).toEqual({ outcome: 'leased' });
  });

  it('counts up to the limit and not beyond, also concurrently', async () => {
    const windows = [{ name: 'm0', limit: 7 }];
    const taking = Array.from({ length: 20 }, () => store.take(key, windows, clock.nowMs() + 60_000));
    expect((await Promise.all(taking)).filter((taken) => taken)).toHaveLength(7);
  });

  it('says what was counted, and nothing of what it stores beside that', async () => {
    expect(await store.counts(key)).toEqual({});
    for (let i = 0; i < 2; i++) await store.take(key, [{ name: 'm0', limit: 7 }], clock.nowMs() + 60_000);
    expect(await store.counts(key)).toMatchObject({ m0: 2 });
    await store.write(key, stored('text'));
    expect(await store.counts(key)).not.toHaveProperty('value');
  });

  it('counts in all windows or in none', async () => {
    const endsMs = clock.nowMs() + 60_000;
    const day = { name: 'd0', limit: 3 };
    expect(await store.take(key, [day, { name: 'm0', limit: 1 }], endsMs)).toBe(true);
    expect(await store.take(key, [day, { name: 'm0', limit: 1 }], endsMs)).toBe(false);
    expect(await store.take(key, [day, { name: 'm1', limit: 5 }], endsMs)).toBe(true);
    expect(await store.take(key, [day, { name: 'm1', limit: 5 }], endsMs)).toBe(true);
    expect(await store.take(key, [day, { name: 'm1', limit: 5 }], endsMs)).toBe(false);
  });
});

describe('a store of items in DynamoDB', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine?.stop());

  it('marks an item for deletion an hour after its last use, in epoch seconds', async () => {
    const cache = createItemStore(engine.client, engine.tableNames.cache, { nowMs: () => 0 });
    await cache.write('a', { value: 1, freshUntilMs: 5_000, staleUntilMs: 10_500 });
    const ttlOf = async (pk: string) => {
      const command = new GetCommand({ TableName: engine.tableNames.cache, Key: { pk } });
      return (await engine.client.send(command)).Item?.['ttl'];
    };
    expect(await ttlOf('a')).toBe(11 + 3_600);
    await cache.lease('leased', 'me', 2_000);
    await cache.take('counted', [{ name: 'm', limit: 1 }], 3_000);
    expect([await ttlOf('leased'), await ttlOf('counted')]).toEqual([2 + 3_600, 3 + 3_600]);
    // A lease lets a value end when it would.
    await cache.write('b', { value: 1, freshUntilMs: 0, staleUntilMs: 9_000 });
    await cache.lease('b', 'me', 2_000);
    expect(await ttlOf('b')).toBe(9 + 3_600);
  });

  it('asks for a strongly consistent read of the latest value, and for the cheaper one otherwise', async () => {
    const asked: unknown[] = [];
    const send = (command: GetCommand) => {
      asked.push(command.input.ConsistentRead ?? false);
      return engine.client.send(command);
    };
    const recording = { send: send as Database['send'] };
    const cache = createItemStore(recording, engine.tableNames.cache, { nowMs: () => 0 });
    await cache.readLatest('a');
    await cache.read('a');
    await cache.counts('a');
    expect(asked.splice(0)).toEqual([true, false, true]);
    // What a lease was refused for is read as it is now.
    await cache.write('a', { value: 1, freshUntilMs: 1, staleUntilMs: 1 });
    expect(await cache.lease('a', 'me', 1)).toMatchObject({ outcome: 'fresh' });
    expect(asked.at(-1)).toBe(true);
  });

  it('fails within its deadline when the table is not there', async () => {
    const cache = createItemStore(engine.client, 'no-such-table', { nowMs: () => 0 });
    await expect(cache.read('a')).rejects.toThrow();
    await expect(cache.lease('a', 'me', 1)).rejects.toThrow();
    await expect(cache.release('a', 'me')).rejects.toThrow();
    await expect(cache.take('a', [{ name: 'm', limit: 1 }], 1)).rejects.toThrow();
  });
});
