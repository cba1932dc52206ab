/** The embedded database: data survives a restart, and two processes never share a folder. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type TableDefinition, tables } from '../../lambda/contract/tables';
import { createTables, describeTable } from '../../local/engine/create-tables';
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

  it('adds the indexes that tables of an older version lack, with the items in them, once', async () => {
    const definition: TableDefinition = tables.quotaCounters;
    const index = definition.indexes.find(({ name }) => name === 'byUsage');
    const indexed = index as NonNullable<typeof index>;
    const value = (type: string, n: number) => (type === 'N' ? { N: `${n}` } : { S: `v${n}` });
    const key = { [indexed.partitionKey.name]: value(indexed.partitionKey.type, 1) };
    const sort = indexed.sortKey ? { [indexed.sortKey.name]: value(indexed.sortKey.type, 2) } : {};
    for (const run of [1, 2]) {
      const engine = await startEmbeddedDynamoDb(join(folder, 'data'));
      const raw = connect(engine.endpoint);
      if (run === 1) {
        const { GlobalSecondaryIndexes: _none, ...older } = describeTable('t-quotaCounters', definition);
        const AttributeDefinitions = [
          { AttributeName: definition.partitionKey, AttributeType: 'S' as const },
        ];
        await raw.send(new CreateTableCommand({ ...older, AttributeDefinitions }));
        await waitUntilTableExists(
          { client: raw, maxWaitTime: 10, minDelay: 0.05 },
          { TableName: 't-quotaCounters' },
        );
        const Item = { [definition.partitionKey]: { S: 'U#1' }, ...key, ...sort };
        await raw.send(new PutItemCommand({ TableName: 't-quotaCounters', Item }));
      }
      const names = await createTables(raw, (table) => `t-${table}`);
      await engine.addIndexes(raw, names);
      const { Items } = await raw.send(
        new QueryCommand({
          TableName: 't-quotaCounters',
          IndexName: indexed.name,
          KeyConditionExpression: '#k = :k',
          ExpressionAttributeNames: { '#k': indexed.partitionKey.name },
          ExpressionAttributeValues: { ':k': value(indexed.partitionKey.type, 1) },
        }),
      );
      expect(Items).toEqual([expect.objectContaining({ [definition.partitionKey]: { S: 'U#1' } })]);
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
