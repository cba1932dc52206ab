/** Each table whose items were lost has them back from point-in-time recovery, under the same name. */

import {
  DeleteItemCommand,
  DynamoDBClient,
  ListTablesCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { restorable } from '../../cli/restore/copy-back';
import { outputs } from '../../lambda/contract/outputs';
import { readFacts } from '../../tools/deploy-test/facts';
import { operatorCommand } from './keys-command';

const { outputs: deployed } = readFacts();
const client = new DynamoDBClient();
afterAll(() => client.destroy());

jest.setTimeout(60_000);

const itemsOf = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Items ?? [];

/** An hour ago, as recovery does not reach far back. */
const at = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+/, '');

const restore = (table: string) =>
  operatorCommand<{ put: number; left: number }>(['restore', '--table', table, '--at', at]);

test('what a table has stays as it is', async () => {
  const { put, left } = await restore('apiKeys');
  expect(put).toBe(0);
  expect(left).toBeGreaterThan(0);
});

test.each(restorable)('%s has its items back, and no copy is left', async (table) => {
  const name = deployed[outputs[`${table}Table` as keyof typeof outputs]] ?? '';
  const before = await itemsOf(name);
  // The emulated account restores items of the present, so the copy is there already, as after an interruption.
  const copy = `${name}-at-${at.replace(/\D/g, '')}`;
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: name,
      TargetTableName: copy,
      UseLatestRestorableTime: true,
    }),
  );
  for (const { pk } of before)
    await client.send(new DeleteItemCommand({ TableName: name, Key: { pk: pk ?? { S: '' } } }));

  const { put, left } = await restore(table);
  expect([put > 0, put + left]).toEqual([true, before.length]);
  const after = await itemsOf(name);
  expect(after).toHaveLength(put);
  if (table === 'apiKeys') expect(after).toEqual(expect.arrayContaining(before));
  expect((await client.send(new ListTablesCommand())).TableNames).not.toContain(copy);
});
