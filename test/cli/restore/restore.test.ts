/** `image-redirect restore` on the command line: what it refuses before anything is read, and what it keeps until it has succeeded. */

import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { exitCodes } from '../../../cli/failure';
import { createTables } from '../../../local/engine/create-tables';
import { connect } from '../../../local/engine/embedded-dynamodb';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { runTool } from '../run-tool';
import { type StackFixture, startStackFixture } from '../stack-fixture';

jest.setTimeout(60_000);

/** The moment so long ago. */
const moment = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace(/\.\d+/, '');

test.each([
  ['a table that holds nothing durable', ['--table', 'cache', '--at', '2026-11-21T12:00:00Z'], 'stockMemory'],
  [
    'a moment without its time zone',
    ['--table', 'apiKeys', '--at', '2026-11-21T12:00'],
    '--at takes a moment',
  ],
  ['no stack', ['--table', 'apiKeys', '--at', '2026-11-21T12:00:00Z'], '--stack NAME'],
  [
    'a moment that recovery does not reach',
    ['--table', 'apiKeys', '--at', '2020-01-01T00:00:00Z', '--stack', 's'],
    'within the last 35 days',
  ],
  [
    'a moment that is to come',
    ['--table', 'apiKeys', '--at', '2999-01-01T00:00:00Z', '--stack', 's'],
    'within the last 35 days',
  ],
  [
    'a moment a little earlier than recovery reaches',
    ['--table', 'apiKeys', '--at', moment(35 * 24 * 3_600_000 + 60_000), '--stack', 's'],
    'within the last 35 days',
  ],
  ...['apiKeys', 'quotaCounters', 'generationIndex'].map((table): [string, string[], string] => [
    `replacing what must stay in ${table}`,
    ['--table', table, '--at', moment(60_000), '--replace', '--stack', 's'],
    '--table stockMemory',
  ]),
])('refuses %s', async (_, args, says) => {
  const ended = await runTool(['restore', ...args], { cwd: tmpdir() });
  expect([ended.exitCode, ended.stderr]).toEqual([exitCodes.usage, expect.stringContaining(says)]);
});

describe('a table of a stack', () => {
  let stack: StackFixture;
  let dynamoDb: Loopback;
  let isRefusing = false;
  const restored: unknown[] = [];
  /** Operations on the copy, and the region that they were signed for. */
  const asked: string[] = [];
  /** The engine, with a point-in-time recovery whose copy is there already, as after an interruption. */
  const answer: RequestListener = async (request, response) => {
    const refuse = (code: string) =>
      response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}` }));
    const operation = String(request.headers['x-amz-target']).split('.')[1];
    if (operation === 'PutItem' && isRefusing) return void refuse('AccessDeniedException');
    const passedOn = ['x-amz-target', 'x-amz-date', 'authorization', 'content-type'];
    const headers = passedOn.map((name): [string, string] => [name, String(request.headers[name])]);
    const body = Buffer.concat(await request.toArray());
    const region = /Credential=[^/]+\/\d+\/([\w-]+)/.exec(request.headers.authorization ?? '')?.[1];
    if (body.includes('-at-')) asked.push(`${operation} in ${region}`);
    if (operation === 'RestoreTableToPointInTime') {
      restored.push(JSON.parse(body.toString()));
      return void refuse(
        ['TableAlreadyExistsException', 'ResourceInUseException'][restored.length % 2] ?? '',
      );
    }
    const answered = await fetch(stack.local.engine.endpoint, { method: 'POST', headers, body });
    response.writeHead(answered.status).end(await answered.text());
  };

  beforeAll(async () => {
    stack = await startStackFixture();
    dynamoDb = await listenOnLoopback(answer);
  });
  afterAll(async () => {
    await dynamoDb.stop();
    await stack.stop();
  });

  it('has its items back by the same command that failed before, which keeps the copy until then', async () => {
    const { endpoint, tableNames } = stack.local.engine;
    const client = connect(endpoint);
    const at = moment(3_600_000);
    const copy = `${tableNames.apiKeys}-at-${at.replace(/\D/g, '')}`;
    await createTables(client, (table) => (table === 'apiKeys' ? copy : tableNames[table]));
    await client.send(new PutItemCommand({ TableName: copy, Item: { pk: { S: 'a key' } } }));
    const names = async () => (await client.send(new ListTablesCommand())).TableNames;
    const env = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'eu-west-1' };
    const run = (...args: string[]) =>
      stack.run([...args, '--stack', 'Images', '--json'], {
        ...env,
        AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.address,
      });
    const restore = () => run('restore', '--table', 'apiKeys', '--at', at, '--region', 'us-west-2');
    const replacing = await run('restore', '--table', 'stockMemory', '--at', at, '--replace');
    expect([replacing.exitCode, replacing.stderr]).toEqual([
      exitCodes.notConfirmed,
      expect.stringContaining(`Pages show the images of ${at} again`),
    ]);
    expect(restored).toEqual([]);
    isRefusing = true;
    expect((await restore()).exitCode).toBe(exitCodes.unreachable);
    expect(await names()).toContain(copy);
    isRefusing = false;
    expect(restored).toEqual([
      {
        SourceTableName: tableNames.apiKeys,
        TargetTableName: copy,
        RestoreDateTime: Date.parse(at) / 1_000,
        // The copy is read whole, for which its indexes would be made and paid in vain.
        GlobalSecondaryIndexOverride: [],
      },
    ]);
    expect((await restore()).json()).toEqual({ put: 1, left: 0 });
    expect(await names()).not.toContain(copy);
    const inOrder = ['RestoreTableToPointInTime', 'DescribeTable', 'Scan', 'DeleteTable'];
    expect([...new Set(asked)]).toEqual(inOrder.map((operation) => `${operation} in us-west-2`));
    const { entries } = (await run('log', '--since', '1h')).json();
    expect(entries).toMatchObject([{ action: 'table.restored', id: tableNames.apiKeys, moment: at, put: 1 }]);
    client.destroy();
  });
});
