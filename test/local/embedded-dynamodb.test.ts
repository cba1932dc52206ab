/** The embedded database: data survives a restart, and two processes never share a folder. */

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Level } from 'level';
import { type TableDefinition, tables } from '../../lambda/contract/tables';
import { tryTables } from '../../local/data-folder';
import { createTables, forgetItems } from '../../local/engine/create-tables';
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
    for (const [table, { partitionKey, indexes }] of Object.entries<TableDefinition>(tables)) {
      const { Table } = await raw.send(new DescribeTableCommand({ TableName: `t-${table}` }));
      expect(Table?.KeySchema).toEqual([{ AttributeName: partitionKey, KeyType: 'HASH' }]);
      const made = (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => [
        IndexName,
        ...(KeySchema ?? []).map(({ AttributeName }) => AttributeName),
        Projection?.ProjectionType,
      ]);
      const wanted = indexes.map(({ name, partitionKey, sortKey, keysOnly }) => [
        name,
        partitionKey.name,
        ...(sortKey ? [sortKey.name] : []),
        keysOnly ? 'KEYS_ONLY' : 'ALL',
      ]);
      expect(made.toSorted()).toEqual(wanted.toSorted());
    }
    raw.destroy();
    await engine.stop();
  });

  it('answers the token of its start alone', async () => {
    const engine = await startEmbeddedDynamoDb(undefined, 'the-token');
    const [own, other] = ['the-token', 'another'].map((token) => connect(engine.endpoint, token));
    await expect(own?.send(new ListTablesCommand({}))).resolves.toMatchObject({ TableNames: [] });
    await expect(other?.send(new ListTablesCommand({}))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    for (const client of [own, other]) client?.destroy();
    await engine.stop();
  });

  it('forgets all items of a table, more than one answer holds', async () => {
    const engine = await startEmbeddedDynamoDb();
    const raw = connect(engine.endpoint);
    const { cache } = await createTables(raw);
    for (const id of ['a', 'b', 'c', 'd'])
      await raw.send(
        new PutItemCommand({ TableName: cache, Item: { pk: { S: id }, value: { S: 'x'.repeat(390_000) } } }),
      );
    const countIn = async (TableName: string) => {
      let count = 0;
      for await (const page of paginateScan({ client: raw }, { TableName })) count += page.Count ?? 0;
      return count;
    };
    expect(await countIn(cache)).toBe(4);
    await forgetItems(raw, cache);
    expect(await countIn(cache)).toBe(0);
    raw.destroy();
    await engine.stop();
  });

  describe('whose files are damaged', () => {
    const withTables = async () => {
      const engine = await startEmbeddedDynamoDb(folder);
      const raw = connect(engine.endpoint);
      await createTables(raw, (table) => `t-${table}`);
      raw.destroy();
      return engine;
    };

    /** What a process leaves that is killed now. */
    const leftByKill = () => {
      const killed = mkdtempSync(join(tmpdir(), 'killed-'));
      folders.push(killed);
      cpSync(folder, killed, { recursive: true });
      return killed;
    };
    const folders: string[] = [];
    afterEach(() => folders.splice(0).forEach((each) => void rmSync(each, { recursive: true })));

    const fileIn = (path: string, extension: string) =>
      join(path, readdirSync(path).find((name) => name.endsWith(extension)) ?? '');
    const changed = (bytes: Buffer, at: number) =>
      bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
    const expectRefused = async (path: string) => {
      const started = await startEmbeddedDynamoDb(path).catch((error: Error) => error);
      if ('stop' in started) await started.stop();
      expect(started).toMatchObject({ message: expect.stringMatching(/are damaged.*Restore.*delete/) });
    };

    it('refuses tables of which a byte has changed since it was stopped, wherever it is', async () => {
      await (await withTables()).stop();
      const file = fileIn(folder, '.log');
      const whole = readFileSync(file);
      for (const at of [0, Math.floor(whole.length / 2), whole.length - 1]) {
        writeFileSync(file, changed(whole, at));
        await expectRefused(folder);
      }
      writeFileSync(file, whole);
      await (await startEmbeddedDynamoDb(folder)).stop();
    });

    it('refuses tables that were there before it was killed, and of which a byte has changed since', async () => {
      await (await withTables()).stop();
      const second = await startEmbeddedDynamoDb(folder);
      const killed = leftByKill();
      await second.stop();
      const file = fileIn(killed, '.ldb');
      const whole = readFileSync(file);
      writeFileSync(file, changed(whole, 9));
      await expectRefused(killed);
      writeFileSync(file, whole);
      await (await startEmbeddedDynamoDb(killed)).stop();
    });

    const damages = {
      changed: (log: string) => writeFileSync(log, changed(readFileSync(log), 1_000)),
      'cut off': (log: string) => truncateSync(log, 1_000),
      deleted: (log: string) => rmSync(log),
    };

    it.each(Object.entries(damages))(
      'refuses tables at every start whose log was %s while they were open',
      async (_, damage) => {
        const running = await withTables();
        damage(fileIn(folder, '.log'));
        const raw = connect(running.endpoint);
        await raw.send(new DeleteTableCommand({ TableName: 't-cache' }));
        raw.destroy();
        await running.stop();
        for (let start = 0; start < 2; start++) await expectRefused(folder);
      },
    );

    it.each(['changed', 'deleted'] as const)(
      'refuses tables at every start whose log was %s after a kill',
      async (damage) => {
        const running = await withTables();
        const killed = leftByKill();
        await running.stop();
        damages[damage](fileIn(killed, '.log'));
        for (let start = 0; start < 2; start++) await expectRefused(killed);
      },
    );

    it('takes tables of which the store had merged one into another before it was killed', async () => {
      await (await withTables()).stop();
      await tryTables(folder);
      const table = fileIn(folder, '.ldb');
      const store = new Level(folder) as Level & { compactRange(from: string, to: string): Promise<void> };
      await store.put('\0', '');
      await store.compactRange('\0', '\uffff');
      await store.close();
      expect(existsSync(table)).toBe(false);
      await (await startEmbeddedDynamoDb(folder)).stop();
    });

    it('takes tables whose last record a kill has cut off', async () => {
      const running = await withTables();
      const killed = leftByKill();
      await running.stop();
      const log = fileIn(killed, '.log');
      truncateSync(log, statSync(log).size - 10);
      await (await startEmbeddedDynamoDb(killed)).stop();
    });
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
