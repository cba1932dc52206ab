/** Calls of tables: what is repeated, for how long, and what a silent table costs the request. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { makeClientDefaults } from '../../lambda/aws/agent';
import {
  connectDynamoDb,
  type DatabaseServices,
  readItem,
  readTable,
  updateItem,
  writeOnce,
  writeTable,
} from '../../lambda/aws/dynamodb';
import { classifyCallFailure } from '../../lambda/aws/errors';
import { createDeadline } from '../../lambda/base/deadline';
import { Outage } from '../../lambda/base/outage';
import { createVirtualClock, type VirtualClock } from '../fakes/clock';
import { startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { createServicesOn } from '../fakes/services';

const get = (TableName = 'keys') => new GetCommand({ TableName, Key: { pk: 'a' } });
const update = new UpdateCommand({ TableName: 'keys', Key: { pk: 'a' } });

describe('readTable, writeTable and writeOnce', () => {
  let server: Loopback;
  let requests: number;
  let answer: (response: ServerResponse, request: IncomingMessage) => void;
  let clock: VirtualClock;
  let services: DatabaseServices;

  beforeEach(async () => {
    requests = 0;
    server = await listenOnLoopback(async (request, response) => {
      await request.toArray();
      requests += 1;
      answer(response, request);
    });
    const database = connectDynamoDb({
      endpoint: server.address,
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    clock = createVirtualClock();
    services = { database, clock, random: () => 0, deadline: createDeadline(clock.nowMs() + 20_000) };
  });
  afterEach(async () => {
    services.database.client.destroy();
    await server.stop();
  });

  /** Returns the error of a call; time passes when it waits. */
  const catchError = async (call: () => Promise<unknown>): Promise<unknown> => {
    let thrown: { readonly error: unknown } | undefined;
    void call().then(
      () => {
        thrown = { error: undefined };
      },
      (error: unknown) => {
        thrown = { error };
      },
    );
    while (!thrown) await clock.advance(1);
    return thrown.error;
  };
  const makeRefusal = (name: string) => (response: ServerResponse) =>
    response
      .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` }));
  const reset = (response: ServerResponse) => response.destroy();

  test.each<[string, (response: ServerResponse) => unknown, number, number, number]>([
    ['throttles', makeRefusal('ProvisionedThroughputExceededException'), 3, 3, 3],
    ['loses its answers', reset, 3, 3, 1],
    ['refuses a call', makeRefusal('ValidationException'), 1, 1, 1],
    ['refuses a condition', makeRefusal('ConditionalCheckFailedException'), 1, 1, 1],
  ])(
    'when a table %s, a call is repeated only if that is safe',
    async (_, respond, reads, writes, writesOnce) => {
      answer = respond;
      const countRequests = async (call: () => Promise<unknown>) => {
        requests = 0;
        expect(await catchError(call)).toBeInstanceOf(Error);
        return requests;
      };
      const makeFreshDatabase = () => ({ ...services, deadline: createDeadline(clock.nowMs() + 20_000) });
      expect(await countRequests(() => writeTable(makeFreshDatabase(), update))).toBe(writes);
      expect(await countRequests(() => writeOnce(makeFreshDatabase(), update))).toBe(writesOnce);
      await clock.advance(2_000);
      expect(await countRequests(() => readTable(makeFreshDatabase(), get()))).toBe(reads);
    },
  );

  test('a throttled call is not repeated if the pause would end after the deadline', async () => {
    answer = async (response) => {
      await clock.advance(4_999);
      makeRefusal('ThrottlingException')(response);
    };
    const deadline = createDeadline(clock.nowMs() + 5_000);
    await catchError(() => writeTable({ ...services, deadline }, update));
    expect(requests).toBe(1);
  });

  test('a refused update returns the item that refused it, in plain values', async () => {
    const Item = { pk: { S: 'a' }, n: { N: '7' }, ids: { SS: ['x'] } };
    const refusal = { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', Item };
    answer = (response) => response.writeHead(400).end(JSON.stringify(refusal));
    const refused = await updateItem(services, update.input, { set: { n: 1 } });
    expect(refused).toEqual({ applied: false, item: { pk: 'a', n: 7, ids: new Set(['x']) } });
  });

  test('a table that has not answered is not asked again for two seconds', async () => {
    answer = reset;
    expect(classifyCallFailure(await catchError(() => readTable(services, get())))).toBe('unknownOutcome');
    requests = 0;
    expect(await catchError(() => readTable(services, get()))).toBeInstanceOf(Outage);
    const createNextServices = () => ({ ...services, deadline: createDeadline(clock.nowMs() + 20_000) });
    expect(await catchError(() => readTable(createNextServices(), get()))).toBeInstanceOf(Outage);
    expect(requests).toBe(0);
    answer = (response) => response.end('{}');
    await readTable(services, get('others'));
    await writeOnce(services, update);
    await clock.advance(2_000);
    expect(await catchError(() => readTable(services, get()))).toBeInstanceOf(Outage);
    requests = 0;
    await readTable(createNextServices(), get());
    expect(requests).toBe(1);
  });

  test('a connection that was idle for too long is closed', async () => {
    const closed = new Promise((resolve) => {
      answer = (response) => {
        response.socket?.once('close', resolve);
        response.end('{}');
      };
    });
    const { region, credentials } = services.database.client.config;
    const config = { ...makeClientDefaults(20), endpoint: server.address, region, credentials };
    const database = connectDynamoDb(config);
    await readTable({ ...services, database }, get());
    await closed;
    database.client.destroy();
  });

  test('a call that ends with the time of its request marks no table as silent', async () => {
    answer = () => undefined;
    const over = { ...services, deadline: createDeadline(clock.nowMs()) };
    const unsent = await catchError(() => writeOnce(over, update));
    expect(classifyCallFailure(unsent)).toBe('notApplied');
    expect(requests).toBe(0);
    const deadline = createDeadline(clock.nowMs() + 5_000);
    answer = async (response) => {
      await clock.advance(5_000);
      response.destroy();
    };
    const late = await catchError(() => writeOnce({ ...services, deadline }, update));
    expect(classifyCallFailure(late)).toBe('unknownOutcome');
    expect(requests).toBe(1);
    expect(services.database.silentUntilMs.size).toBe(0);
  });
});

describe('updateItem', () => {
  const engine = startFixture(startEngine);
  let services: DatabaseServices;
  beforeAll(() => {
    services = createServicesOn(engine);
  });

  test('a conditional update returns the item as it stands now', async () => {
    const target = { TableName: engine.tableNames.cache, Key: { pk: 'x' } };
    const claimFor = (holder: string) =>
      updateItem(services, target, { set: { holder }, onlyIf: 'attribute_not_exists(holder)' });
    expect(await claimFor('a')).toEqual({ applied: true, item: { pk: 'x', holder: 'a' } });
    expect(await claimFor('b')).toEqual({ applied: false, item: { pk: 'x', holder: 'a' } });
    expect(await readItem(services, target)).toEqual({ pk: 'x', holder: 'a' });
    expect(await readItem(services, { ...target, Key: { pk: 'y' } })).toBeUndefined();
  });

  test('an update may do nothing but remove attributes', async () => {
    const target = { TableName: engine.tableNames.cache, Key: { pk: 'z' } };
    await updateItem(services, target, { set: { holder: 'a', note: 'b' } });
    expect((await updateItem(services, target, { remove: ['note'] })).item).toEqual({ pk: 'z', holder: 'a' });
  });
});
