/** The embedded database: data survives a restart, and two processes never share a folder. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { tables } from '../../lambda/contract/tables';
import { createTables, openTables } from '../../local/engine/create-tables';
import { connect, startEmbeddedDynamoDb } from '../../local/engine/embedded-dynamodb';

describe('the embedded engine', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps tables and items over a restart, and creates nothing twice', async () => {
    for (const run of [1, 2]) {
      const engine = await startEmbeddedDynamoDb(join(folder, 'data'));
      const raw = connect(engine.endpoint);
      const client = DynamoDBDocumentClient.from(raw);
      const { apiKeys } = await createTables(raw, (table) => `t-${table}`);
      const Item = { pk: 'K#1', name: 'Ærø' };
      if (run === 1) await client.send(new PutCommand({ TableName: apiKeys, Item }));
      expect((await client.send(new GetCommand({ TableName: apiKeys, Key: { pk: 'K#1' } }))).Item).toEqual(
        Item,
      );
      client.destroy();
      await engine.stop();
    }
  });

  it('has the tables and indexes of the contract', async () => {
    const engine = await startEmbeddedDynamoDb();
    const raw = connect(engine.endpoint);
    const names = await createTables(raw, (table) => `t-${table}`);
    expect((await raw.send(new ListTablesCommand({}))).TableNames?.toSorted()).toEqual(
      Object.values(names).toSorted(),
    );
    for (const [table, { partitionKey, indexes }] of Object.entries(tables)) {
      const { Table } = await raw.send(new DescribeTableCommand({ TableName: `t-${table}` }));
      expect(Table?.KeySchema).toEqual([{ AttributeName: partitionKey, KeyType: 'HASH' }]);
      const made = (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName);
      expect(made.toSorted()).toEqual(indexes.map(({ name }) => name).toSorted());
    }
    raw.destroy();
    await engine.stop();
  });

  it('moves the items of a table that an older version made without an index, once, and leaves other tables', async () => {
    const Item = { pk: { S: 'K#1' }, account: { S: 'a' }, createdAt: { S: '2026' } };
    const keys = {
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    } satisfies Partial<CreateTableCommandInput>;
    for (const run of [1, 2]) {
      const engine = await startEmbeddedDynamoDb(join(folder, 'data'));
      const raw = connect(engine.endpoint);
      for (const TableName of run === 1 ? ['apiKeys', 'unknown'] : []) {
        await raw.send(new CreateTableCommand({ TableName, ...keys }));
        await waitUntilTableExists({ client: raw, maxWaitTime: 10, minDelay: 0.05 }, { TableName });
        await raw.send(new PutItemCommand({ TableName, Item }));
      }
      const { apiKeys } = await openTables(raw);
      const { Items } = await raw.send(
        new QueryCommand({
          TableName: apiKeys,
          IndexName: 'byAccount',
          KeyConditionExpression: 'account = :a',
          ExpressionAttributeValues: { ':a': Item.account },
        }),
      );
      expect(Items).toEqual([Item]);
      const { TableNames } = await raw.send(new ListTablesCommand({}));
      expect(TableNames).toContain('unknown');
      expect(TableNames).not.toContain('apiKeys');
      raw.destroy();
      await engine.stop();
    }
  });

  it('refuses tables of which a byte has changed since it was stopped, wherever it is', async () => {
    const engine = await startEmbeddedDynamoDb(folder);
    const raw = connect(engine.endpoint);
    await createTables(raw, (table) => `t-${table}`);
    raw.destroy();
    await engine.stop();
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.log'));
    const file = join(folder, name);
    const whole = readFileSync(file);
    for (const at of [0, Math.floor(whole.length / 2), whole.length - 1]) {
      writeFileSync(
        file,
        whole.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      );
      await expect(startEmbeddedDynamoDb(folder)).rejects.toThrow(/are damaged.*Restore.*delete/);
    }
    writeFileSync(file, whole);
    await (await startEmbeddedDynamoDb(folder)).stop();
  });

  it('refuses tables that were there before it was killed, and of which a byte has changed since', async () => {
    const first = await startEmbeddedDynamoDb(folder);
    const raw = connect(first.endpoint);
    await createTables(raw, (table) => `t-${table}`);
    raw.destroy();
    await first.stop();
    const second = await startEmbeddedDynamoDb(folder);
    // What a process leaves that is killed now.
    const killed = mkdtempSync(join(tmpdir(), 'killed-'));
    cpSync(folder, killed, { recursive: true });
    await second.stop();
    const [name = ''] = readdirSync(killed).filter((each) => each.endsWith('.ldb'));
    const whole = readFileSync(join(killed, name));
    writeFileSync(
      join(killed, name),
      whole.map((byte, index) => (index === 9 ? byte ^ 1 : byte)),
    );
    await expect(startEmbeddedDynamoDb(killed)).rejects.toThrow(/are damaged.*Restore.*delete/);
    writeFileSync(join(killed, name), whole);
    await (await startEmbeddedDynamoDb(killed)).stop();
    rmSync(killed, { recursive: true });
  });

  it('refuses a folder that another engine holds, and takes it once that has stopped', async () => {
    const first = await startEmbeddedDynamoDb(folder);
    const raw = connect(first.endpoint);
    await raw.send(new ListTablesCommand({}));
    await expect(startEmbeddedDynamoDb(folder)).rejects.toThrow('in use by another process');
    raw.destroy();
    await first.stop();
    const second = await startEmbeddedDynamoDb(folder);
    await second.stop();
  });
});
