/** Runs the contract of the API key register on the fake and on DynamoDB, with failing calls. */

import { GetCommand } from '../../../lambda/aws/dynamodb/commands';
import type { ApiKeyRegister } from '../../../lambda/credentials/api-keys';
import { createApiKeyRegister } from '../../../lambda/credentials/dynamodb/api-key-register';
import { createFaultyClient, type FaultyClient } from '../../aws/dynamodb/faulty-client';
import { describeApiKeys, newRecord } from '../../contracts/api-keys';
import { type Engine, startEngine } from '../../contracts/dynamodb-engine';
import { createFakeApiKeys } from '../../fakes/api-keys';

describeApiKeys('in memory', async () => ({ register: createFakeApiKeys() }));

describeApiKeys('DynamoDB', async () => {
  const engine = await startEngine();
  return { register: createApiKeyRegister(engine.client, engine.tableNames.apiKeys), stop: engine.stop };
});

describe('the register of API keys in DynamoDB', () => {
  let engine: Engine;
  let faulty: FaultyClient;
  let register: ApiKeyRegister;
  beforeAll(async () => {
    engine = await startEngine();
  });
  beforeEach(() => {
    faulty = createFaultyClient(engine.client);
    register = createApiKeyRegister(faulty.client, engine.tableNames.apiKeys);
  });
  afterAll(() => engine?.stop());

  it('finds a key with one strongly consistent read', async () => {
    const record = newRecord();
    await register.add(record);
    const before = faulty.sent.length;
    await register.find(record.hash);
    expect(faulty.sent.slice(before)).toEqual(['GetCommand']);
    expect(faulty.lastInput()).toMatchObject({ ConsistentRead: true });
  });

  it('stores no attribute beyond the record and its key', async () => {
    const record = newRecord();
    await register.add(record);
    const command = new GetCommand({ TableName: engine.tableNames.apiKeys, Key: { pk: `K#${record.hash}` } });
    expect((await engine.client.send(command)).Item).toEqual({ pk: `K#${record.hash}`, ...record });
  });

  it('adds and changes a key in spite of a lost answer', async () => {
    const record = newRecord();
    faulty.faults.push('lost');
    await register.add(record);
    faulty.faults.push('lost');
    expect(await register.change(record.hash, { plan: 'pro' })).toBe(true);
    expect(await register.find(record.hash)).toEqual({ ...record, plan: 'pro' });
    expect(faulty.sent.filter((command) => command !== 'GetCommand')).toHaveLength(4);
  });

  it('tries three times and then fails, so that an outage is not mistaken for an unknown key', async () => {
    faulty.faults.push('dropped', 'throttled', 'broken');
    await expect(register.find(newRecord().hash)).rejects.toThrow('broken');
    expect(faulty.sent).toHaveLength(3);
  });

  it('does not repeat what the table rejects', async () => {
    faulty.faults.push('rejected');
    await expect(register.find(newRecord().hash)).rejects.toThrow('rejected');
    expect(faulty.sent).toHaveLength(1);
  });

  it('reads page after page until it has all keys', async () => {
    const { account } = newRecord();
    // Names of 40 kB bring 30 keys past the megabyte that one page holds.
    const added = Array.from({ length: 30 }, (_, i) =>
      newRecord({
        account,
        name: 'x'.repeat(40_000),
        createdAt: `2026-11-${String(i + 1).padStart(2, '0')}T00:00:00.000Z`,
      }),
    );
    await Promise.all(added.map((record) => register.add(record)));
    const before = faulty.sent.length;
    expect((await register.ofAccount(account)).map(({ keyId }) => keyId)).toEqual(
      added.map(({ keyId }) => keyId),
    );
    const listed = new Set<string>();
    for await (const { keyId } of register.all()) listed.add(keyId);
    expect(added.every(({ keyId }) => listed.has(keyId))).toBe(true);
    expect(faulty.sent.slice(before).length).toBeGreaterThan(3);
  });
});
