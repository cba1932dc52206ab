/** The embedded database: data survives a restart, and two processes never share a folder. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { createTables } from '../../../bin/local/engine/create-tables';
import { connect, startEmbeddedDynamoDb } from '../../../bin/local/engine/embedded-dynamodb';
import { tables } from '../../../lambda/contract/tables';

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
