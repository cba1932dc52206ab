/** The transport's answers and errors, whatever the network, the table and the credentials do. */

import type { ServerResponse } from 'node:http';
import { call, failureOf, retryIdempotent } from '../../../lambda/aws/dynamodb/call';
import { GetCommand, UpdateCommand } from '../../../lambda/aws/dynamodb/commands';
import { keepCredentials } from '../../../lambda/aws/dynamodb/connect';
import {
  type Credentials,
  createTransport,
  type DynamoDbTransport,
} from '../../../lambda/aws/dynamodb/transport';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

const get = new GetCommand({ TableName: 'keys', Key: { pk: 'a' } });
const update = new UpdateCommand({
  TableName: 'keys',
  Key: { pk: 'a' },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});
const namespace = 'com.amazonaws.dynamodb.v20120810';

let server: Loopback;
let answer: (response: ServerResponse, headers: Readonly<Record<string, string>>) => void;
let db: DynamoDbTransport;

const connect = (
  endpoint: string,
  source: () => Promise<Credentials> = async () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
  nowMs = Date.now,
) =>
  createTransport({
    region: 'us-east-1',
    endpoint: new URL(endpoint),
    credentials: keepCredentials(source, nowMs),
    nowMs,
  });

beforeEach(async () => {
  server = await listenOnLoopback(async (request, response) => {
    await request.toArray();
    answer(response, request.headers as Record<string, string>);
  });
  db = connect(server.address);
});
afterEach(async () => {
  db.destroy();
  await server.stop();
});

const failing = (statusCode: number, body: string, headers: Record<string, string> = {}) => {
  answer = (response) =>
    response.writeHead(statusCode, { 'Content-Type': 'application/x-amz-json-1.0', ...headers }).end(body);
};
const error = async (options?: { abortSignal: AbortSignal }): Promise<unknown> =>
  db.send(update, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

it('a refused condition brings the item that stood there', async () => {
  const Item = { pk: { S: 'a' }, n: { N: '7' }, ids: { SS: ['x'] } };
  failing(
    400,
    JSON.stringify({ __type: `${namespace}#ConditionalCheckFailedException`, message: 'No', Item }),
  );
  const refused = await error();
  expect(failureOf(refused)).toBe('refused');
  expect(refused).toMatchObject({ message: 'No', Item: { pk: 'a', n: 7, ids: new Set(['x']) } });
});

it.each([
  ['throttled', 400, { __type: `${namespace}#ProvisionedThroughputExceededException`, message: 'Slow' }],
  ['throttled', 400, { __type: `${namespace}#RequestLimitExceeded`, message: 'Slow' }],
  ['throttled', 400, { __type: 'com.amazon.coral.availability#ThrottlingException', message: 'Slow' }],
  ['rejected', 400, { __type: 'com.amazon.coral.validate#ValidationException', message: 'Bad' }],
  ['rejected', 400, { __type: `${namespace}#ResourceNotFoundException`, message: 'No table' }],
  ['rejected', 400, { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'Old' }],
  ['unknown', 500, { __type: `${namespace}#InternalServerError`, message: 'Oh' }],
  ['unknown', 503, { __type: 'com.amazon.coral.service#ServiceUnavailableException' }],
])('an answer means %s: %d %j', async (failure, statusCode, body) => {
  failing(statusCode, JSON.stringify(body), { 'x-amzn-RequestId': 'REQUEST' });
  const thrown = await error();
  expect(failureOf(thrown)).toBe(failure);
  expect(thrown).toMatchObject({
    name: body.__type.replace(/.*#/, ''),
    $metadata: { httpStatusCode: statusCode, requestId: 'REQUEST' },
  });
});

it('the name of an error may stand in a header instead', async () => {
  failing(400, '{"Message":"Slow"}', { 'x-amzn-errortype': 'ThrottlingException:http://a.example/' });
  const thrown = await error();
  expect([failureOf(thrown), (thrown as Error).message]).toEqual(['throttled', 'Slow']);
});

it.each([
  ['a page of a proxy', 502, '<html>Bad gateway</html>'],
  ['nothing at all', 500, ''],
  ['half an answer', 200, '{"Attributes":{"taken":{"N"'],
])('%s says nothing about the write', async (_, statusCode, body) => {
  failing(statusCode, body);
  expect(failureOf(await error())).toBe('unknown');
});

it('a connection that ends within the answer says nothing about the write', async () => {
  answer = (response) => {
    response.writeHead(200, { 'Content-Length': '1000' }).write('{"Attributes"');
    setImmediate(() => response.destroy());
  };
  expect(failureOf(await error())).toBe('unknown');
});

it('a connection that is closed before the answer says nothing about the write', async () => {
  answer = (response) => response.destroy();
  expect(failureOf(await error())).toBe('unknown');
});

it('a wait that is ended says nothing about the write, before and within an answer', async () => {
  for (const begin of [false, true]) {
    const abort = new AbortController();
    answer = (response) => {
      if (begin) response.writeHead(200, { 'Content-Length': '9' }).write('{');
      setImmediate(() => abort.abort(new Error('Too late')));
    };
    expect(failureOf(await error({ abortSignal: abort.signal }))).toBe('unknown');
  }
});

it('nothing that listens says nothing about the write', async () => {
  await server.stop();
  expect(failureOf(await error())).toBe('unknown');
});

it.each([
  ['behind', 3_600_000],
  ['ahead', -3_600_000],
])('a clock that is %s is set right by each refusal, and the call is made again', async (_, offMs) => {
  const dateOf = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
  const nowMs = Date.parse('2026-11-21T12:00:00Z');
  let tableMs = nowMs + offMs;
  const dates: string[] = [];
  answer = (response, headers) => {
    dates.push(headers['x-amz-date'] as string);
    const body = {
      __type: 'com.amazon.coral.service#InvalidSignatureException',
      message: 'Signature expired',
    };
    const isRight = dates.at(-1) === dateOf(tableMs);
    response.writeHead(isRight ? 200 : 400, {
      'Content-Type': 'application/x-amz-json-1.0',
      Date: new Date(tableMs).toUTCString(),
    });
    response.end(isRight ? '{}' : JSON.stringify(body));
  };
  const off = connect(server.address, undefined, () => nowMs);
  const ask = () => call({ send: off.send, pause: async () => undefined }, get, retryIdempotent);
  await ask();
  await ask();
  tableMs += offMs;
  await ask();
  off.destroy();
  expect(dates).toEqual([0, 1, 1, 1, 2].map((times) => dateOf(nowMs + times * offMs)));
});

it.each([
  ['that never expire are fetched once', undefined, [1]],
  ['that expire in an hour are fetched once', 3_600_000, [1]],
  ['that are about to expire are fetched again, once for all who need them', 60_000, [2, 3]],
])('credentials %s', async (_, lifeMs, used) => {
  const tokens = new Set<string>();
  answer = (response, headers) => {
    tokens.add(headers['x-amz-security-token'] as string);
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  };
  let fetches = 0;
  const temporary = connect(server.address, async () => ({
    accessKeyId: 'a',
    secretAccessKey: 'b',
    sessionToken: `token-${++fetches}`,
    ...(lifeMs === undefined ? {} : { expiration: new Date(Date.now() + lifeMs) }),
  }));
  await temporary.send(get);
  await Promise.all([temporary.send(get), temporary.send(get)]);
  temporary.destroy();
  expect([...tokens]).toEqual(used.map((fetch) => `token-${fetch}`));
  expect(fetches).toBe(used.at(-1));
});

it('credentials that could not be fetched are tried again by the next call', async () => {
  answer = (response) => response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  let fetches = 0;
  const flaky = connect(server.address, async () => {
    if (++fetches === 1) throw new Error('No credentials yet');
    return { accessKeyId: 'a', secretAccessKey: 'b' };
  });
  await expect(flaky.send(get)).rejects.toThrow('No credentials yet');
  await expect(flaky.send(get)).resolves.toMatchObject({});
  flaky.destroy();
});

it('a connection that rested for seconds is not used again: its other side may have closed it during a freeze', async () => {
  let now = 0;
  const sockets = new Set<unknown>();
  answer = (response) => {
    // As after a freeze: what comes over a connection of before is never answered.
    if (sockets.has(response.socket) && now >= 60_000) response.destroy();
    else response.writeHead(200).end('{"Attributes":{"taken":{"N":"1"}}}');
    sockets.add(response.socket);
  };
  const frozen = createTransport({
    region: 'us-east-1',
    endpoint: new URL(server.address),
    credentials: async () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
    nowMs: () => now,
  });
  const charge = () => frozen.send(update);
  await charge();
  now += 4_000;
  await charge();
  expect(sockets.size).toBe(1);
  now = 60_000;
  expect(await Promise.all([charge(), charge()])).toEqual([
    { Attributes: { taken: 1 } },
    { Attributes: { taken: 1 } },
  ]);
  frozen.destroy();
});
