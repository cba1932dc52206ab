/** Tests the tables of a data folder: they are kept, emptied, guarded, or refused in one line. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { connectDatabase, createTables, forgetItems, startTables } from '../../local/tables';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tables-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('items outlive a restart until they are deleted', async () => {
  const ids = ['a', 'b', 'c', 'd'];
  for (const run of [1, 2]) {
    const engine = await startTables(folder);
    const { client } = connectDatabase(engine.endpoint);
    const { cache: TableName, apiKeys } = await createTables(client);
    const read = async (pk: string) => (await client.send(new GetCommand({ TableName, Key: { pk } }))).Item;
    for (const pk of run === 1 ? ids : []) {
      const Item = { pk, value: 'x'.repeat(390_000) };
      await client.send(new PutCommand({ TableName, Item }));
      await client.send(new PutCommand({ TableName: apiKeys, Item: { pk } }));
    }
    for (const pk of ids) expect(await read(pk)).toMatchObject({ pk });
    if (run === 2) {
      await forgetItems(client, TableName);
      for (const pk of ids) expect(await read(pk)).toBeUndefined();
      const getKey = new GetCommand({ TableName: apiKeys, Key: { pk: 'a' } });
      expect((await client.send(getKey)).Item).toEqual({ pk: 'a' });
    }
    client.destroy();
    await engine.stop();
  }
});

test('only callers with the token reach the tables', async () => {
  const engine = await startTables(undefined, 'the-token');
  for (const [token, refusal] of [
    ['the-token', undefined],
    ['another', 403],
  ] as const) {
    const { client } = connectDatabase(engine.endpoint, token);
    const outcome = await createTables(client).catch((error: object) => error);
    if (refusal) expect(outcome).toMatchObject({ $metadata: { httpStatusCode: refusal } });
    else expect(outcome).toHaveProperty('apiKeys');
    client.destroy();
  }
  await engine.stop();
});

const readRefusal = (path: string) =>
  startTables(path).then(
    (engine) => engine.stop().then(() => 'none'),
    (error: Error) => error.message,
  );

test('a data folder that another process uses is refused', async () => {
  const engine = await startTables(folder);
  expect(await readRefusal(folder)).toMatch(/in use by another process.*--data.*--memory/);
  await engine.stop();
});

test('a damaged data folder is refused in one line', async () => {
  await (await startTables(folder)).stop();
  const manifests = readdirSync(folder).filter((name) => name.startsWith('MANIFEST'));
  expect(manifests).toHaveLength(1);
  for (const name of manifests) writeFileSync(join(folder, name), 'damaged');
  const refusal = await readRefusal(folder);
  expect(refusal).toMatch(/cannot be used: /);
  expect(refusal).not.toContain('\n');
});
