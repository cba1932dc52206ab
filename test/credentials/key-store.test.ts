/** The table of credentials keeps each credential once, also after failed calls. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { createToolServices } from '../../lambda/aws/dynamodb';
import * as keyStore from '../../lambda/credentials/key-store';
import { getKeyReference, type StoredKey } from '../../lambda/credentials/key-store';
import { createFaultyClient, type FaultyClient } from '../aws/dynamodb/faulty-client';
import { type Bound, bindServices } from '../fakes/bound';
import { startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { createDatabase } from '../fakes/memory-database';
import { makeAccountId, makeKeyRecord, makeSignerRecord, makeSiteKeyRecord } from '../fakes/values';

const engine = startFixture(startEngine);

describe('the table of credentials', () => {
  let store: Bound<typeof keyStore>;
  beforeAll(() => {
    store = bindServices({ ...createToolServices(engine.database), tables: engine.tableNames }, keyStore);
  });

  test('one of many concurrent additions of the same hash is accepted', async () => {
    const { hash } = makeKeyRecord();
    const adding = Array.from({ length: 20 }, () => store.addKey(makeKeyRecord({ hash })));
    const done = await Promise.allSettled(adding);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a change of an unknown key is refused and creates none', async () => {
    const { hash } = makeKeyRecord();
    await expect(store.changeKey(hash, { plan: 'pro' })).rejects.toThrow();
    expect(await store.findKey(hash)).toBeUndefined();
  });

  test('the keys of an account are listed, oldest first', async () => {
    const { account } = makeKeyRecord();
    const days = ['03', '01', '02'].map((day) =>
      makeKeyRecord({ account, createdAt: `2026-11-${day}T00:00:00.000Z` }),
    );
    for (const key of [...days, makeKeyRecord()]) await store.addKey(key);
    const listed = await store.readAccountKeys(account);
    expect(listed).toEqual([days[1], days[2], days[0]]);
    expect(await store.readAccountKeys(makeAccountId('acc_none'))).toEqual([]);
  });

  test.each([
    ['a signer', makeSignerRecord],
    ['a site key', makeSiteKeyRecord],
    ['an API key with a bound of its own', () => makeKeyRecord({ maxPerMonth: 1 })],
  ])('%s is added once, found, listed and changed', async (_, make) => {
    const key: StoredKey = make();
    await store.addKey(key);
    await store.addKey(key);
    expect(await store.findKey(getKeyReference(key))).toEqual(key);
    expect(await store.readAccountKeys(key.account)).toEqual([key]);
    const revokedAt = '2026-12-01T00:00:00.000Z';
    await store.changeKey(getKeyReference(key), { plan: 'pro', revokedAt });
    expect(await store.findKey(getKeyReference(key))).toEqual({ ...key, plan: 'pro', revokedAt });
  });
});

describe('the calls of the table', () => {
  let faulty: FaultyClient;
  let store: Bound<typeof keyStore>;
  beforeEach(() => {
    faulty = createFaultyClient(engine.client);
    store = bindServices(
      { ...createToolServices(createDatabase(faulty.client.send as never)), tables: engine.tableNames },
      keyStore,
    );
  });

  test('a key is found with one strongly consistent read', async () => {
    const key = makeKeyRecord();
    await store.addKey(key);
    const callsBefore = faulty.sentCommands.length;
    await store.findKey(key.hash);
    expect(faulty.sentCommands.slice(callsBefore)).toMatchObject([
      { operation: 'Get', input: { ConsistentRead: true } },
    ]);
  });

  test('an item has the fields of its key and the partition key alone', async () => {
    const key = makeKeyRecord();
    await store.addKey(key);
    const command = new GetCommand({ TableName: engine.tableNames.apiKeys, Key: { pk: `K#${key.hash}` } });
    expect((await engine.client.send(command)).Item).toEqual({ pk: `K#${key.hash}`, ...key });
  });

  test('a key is added and changed in spite of a lost answer', async () => {
    const key = makeKeyRecord();
    faulty.answersToLose = 1;
    await store.addKey(key);
    faulty.answersToLose = 1;
    await store.changeKey(key.hash, { plan: 'pro' });
    expect(await store.findKey(key.hash)).toEqual({ ...key, plan: 'pro' });
    expect(faulty.sentCommands.filter(({ operation }) => operation !== 'Get')).toHaveLength(4);
  });

  test('page after page is read until each key is listed once', async () => {
    const { account } = makeKeyRecord();
    // Names of 40 kB bring 30 keys past the megabyte that one page holds.
    const added = Array.from({ length: 30 }, (_, i) =>
      makeKeyRecord({
        account,
        name: 'x'.repeat(40_000),
        createdAt: `2026-11-${String(i + 1).padStart(2, '0')}T00:00:00.000Z`,
      }),
    );
    await Promise.all(added.map((key) => store.addKey(key)));
    const callsBefore = faulty.sentCommands.length;
    expect((await store.readAccountKeys(account)).map(({ keyId }) => keyId)).toEqual(
      added.map(({ keyId }) => keyId),
    );
    const listed: string[] = [];
    for await (const { keyId } of store.readAllKeys()) listed.push(keyId);
    expect(listed).toEqual(expect.arrayContaining(added.map(({ keyId }) => keyId)));
    expect(new Set(listed).size).toBe(listed.length);
    expect(faulty.sentCommands.slice(callsBefore).length).toBeGreaterThan(3);
  });
});
