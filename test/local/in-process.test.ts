/** Calls in process: refused as over the port, aborted as over a connection, and not taken once the engine has stopped. */

import { GetCommand, PutCommand, UpdateCommand } from '../../lambda/aws/dynamodb/commands';
import { createLeanDatabase } from '../../lambda/aws/dynamodb/lean/lean-database';
import { createTables } from '../../local/engine/create-tables';
import { connect, startEmbeddedDynamoDb } from '../../local/engine/embedded-dynamodb';

async function start() {
  const engine = await startEmbeddedDynamoDb();
  const raw = connect(engine.endpoint);
  const { lookupCache: TableName } = await createTables(raw, (table) => table);
  const open = (endpoint: string) =>
    createLeanDatabase({
      region: 'local',
      endpoint: new URL(endpoint),
      credentials: async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }),
      nowMs: Date.now,
    });
  const inProcess = open(engine.endpoint);
  const connected = open(engine.endpoint.replace('127.0.0.1', 'localhost'));
  const stop = async () => {
    for (const each of [raw, inProcess, connected]) each.destroy();
    await engine.stop();
  };
  return { engine, TableName, open, inProcess, connected, stop };
}

test('both ways reach the same items, and refuse the same calls with the same errors', async () => {
  const { TableName, inProcess, connected, stop } = await start();
  await inProcess.send(new PutCommand({ TableName, Item: { pk: 'a', count: 1, name: 'Ærø' } }));
  const get = new GetCommand({ TableName, Key: { pk: 'a' } });
  expect(await connected.send(get)).toEqual(await inProcess.send(get));

  const refused = [
    new UpdateCommand({
      TableName,
      Key: { pk: 'a' },
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: '#count > :one',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1 },
    }),
    new UpdateCommand({ TableName, Key: { pk: 'a' }, UpdateExpression: 'NONSENSE' }),
    new GetCommand({ TableName: 'no-such-table', Key: { pk: 'a' } }),
    new GetCommand({ TableName, Key: { other: 'a' } }),
  ];
  const failure = (error: Error & { $metadata?: { httpStatusCode?: number } }) => [
    error.name,
    error.message,
    error.$metadata?.httpStatusCode,
  ];
  for (const command of refused) {
    const here = await inProcess.send<unknown>(command).catch(failure);
    expect(here).toEqual(await connected.send<unknown>(command).catch(failure));
    expect(here).toEqual([expect.stringMatching(/Exception$/), expect.any(String), 400]);
  }
  await stop();
});

test('a call whose signal is aborted ends with its reason, before and while it runs', async () => {
  const { TableName, inProcess, stop } = await start();
  const reason = new Error('too late');
  const get = new GetCommand({ TableName, Key: { pk: 'a' } });
  await expect(inProcess.send(get, { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const running = new AbortController();
  const sent = inProcess.send(get, { abortSignal: running.signal });
  running.abort(reason);
  await expect(sent).rejects.toBe(reason);
  await stop();
});

test('many updates of one item at once are all counted', async () => {
  const { TableName, inProcess, stop } = await start();
  const add = new UpdateCommand({
    TableName,
    Key: { pk: 'counter' },
    UpdateExpression: 'ADD taken :one',
    ExpressionAttributeValues: { ':one': 1 },
    ReturnValues: 'UPDATED_NEW',
  });
  const answers = await Promise.all(Array.from({ length: 100 }, () => inProcess.send(add)));
  const taken = answers.map(({ Attributes }) => Attributes?.['taken'] as number).sort((a, b) => a - b);
  expect(taken).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  await stop();
});

test('after its stop an engine takes no call in process, and its port is closed', async () => {
  const { engine, TableName, open, stop } = await start();
  await stop();
  const late = open(engine.endpoint);
  await expect(late.send(new GetCommand({ TableName, Key: { pk: 'a' } }))).rejects.toThrow(/ECONNREFUSED/);
  late.destroy();
});
