/** Functions are invoked over real HTTP at the local Invoke API. */

import { Agent } from 'node:http';
import {
  connectLambda,
  invokeFunction,
  invokeLater,
  type Lambda,
  readUnreservedExecutions,
} from '../../lambda/aws/lambda';
import { type Clock, systemClock } from '../../lambda/base/clock';
import { createDeadline } from '../../lambda/base/deadline';
import { createLocalAws, type LocalFunction } from '../../local/aws';
import { createDeferred } from '../fakes/clock';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

const job = { path: 'stock/a.webp', source: { kind: 'drawing', words: 'mountain lake', seed: 'ä' } };

const reach = ({ address: endpoint }: Loopback) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

let loopback: Loopback;
let aws: ReturnType<typeof createLocalAws>;
let lambda: Lambda;
let handler: LocalFunction;
let refusals: number[];
let invocations: number;
let pauses: number[];
const nowMs = 1_000_000;
const clock: Clock = {
  ...systemClock,
  nowMs: () => nowMs,
  sleep: async (delayMs) => void pauses.push(delayMs),
};
const services = { clock, deadline: createDeadline(Infinity) };
const stored = { outcome: 'stored' };
const makeBusyError = (reason: string) => ({
  name: 'FunctionBusy',
  message: expect.stringContaining(reason),
});

beforeEach(async () => {
  handler = async () => ({ outcome: 'stored' });
  [refusals, invocations, pauses] = [[], 0, []];
  const invokeRenderer: LocalFunction = (event, context) => handler(event, context);
  aws = createLocalAws({ functions: { renderer: invokeRenderer }, onFailure: () => undefined });
  loopback = await listenOnLoopback(async (request, response) => {
    invocations += 1;
    const status = refusals.shift();
    if (status === undefined) return aws.respond(request, response);
    response
      .writeHead(status, { 'x-amzn-errortype': 'TooManyRequestsException' })
      .end('{"message":"Rate exceeded"}');
  });
  lambda = connectLambda(reach(loopback));
});
afterEach(async () => {
  lambda.destroy();
  await loopback.stop();
});

describe('invokeFunction', () => {
  const call = (leftMs = 60_000, name = 'renderer') =>
    invokeFunction({ ...services, deadline: createDeadline(nowMs + leftMs) }, lambda, name, job);

  test('an invoked function returns the answer to its event', async () => {
    handler = async (event) => ({ seen: event });
    expect(await call()).toEqual({ seen: job });
  });

  test('a function that does not answer by the deadline is busy', async () => {
    handler = () => new Promise(() => {});
    await expect(call(50)).rejects.toMatchObject(makeBusyError('It did not answer in time'));
    refusals = [429, 429, 429];
    // An hour, which only the deadline ends.
    const waiting: Clock = { ...clock, sleep: (_, signal) => systemClock.sleep(3_600_000, signal) };
    const late = { clock: waiting, deadline: createDeadline(nowMs + 100) };
    const answer = invokeFunction(late, lambda, 'renderer', job);
    await expect(answer).rejects.toMatchObject(makeBusyError(''));
    expect(invocations).toBeLessThanOrEqual(2);
  });

  test.each([0, -1_000])('a function is not invoked when %d ms are left', async (leftMs) => {
    await expect(call(leftMs)).rejects.toMatchObject(makeBusyError('No time is left'));
    expect(invocations).toBe(0);
  });

  test('a function without a free instance is tried three times at most', async () => {
    refusals = [429, 429];
    expect(await call()).toEqual(stored);
    expect(pauses).toEqual([150, 300]);
    refusals = [429, 429, 429, 429];
    await expect(call()).rejects.toMatchObject(makeBusyError('Rate exceeded'));
    expect(invocations).toBe(6);
  });

  test('60 requests can wait for a function at the same time', async () => {
    const allArrived = createDeferred<void>();
    handler = async () => {
      if (invocations === 60) allArrived.resolve();
      await allArrived.promise;
      return { outcome: 'stored' };
    };
    const answers = await Promise.all(Array.from({ length: 60 }, () => call()));
    expect(answers).toEqual(Array(60).fill(stored));
  });

  test('a function is busy after three attempts without a connection', async () => {
    const [begun, end] = [createDeferred<void>(), createDeferred<object>()];
    handler = () => {
      begun.resolve();
      return end.promise;
    };
    const httpAgent = new Agent({ maxSockets: 1 });
    const patient = connectLambda({ ...reach(loopback), requestHandler: { httpAgent } });
    const narrow = connectLambda({
      ...reach(loopback),
      requestHandler: { connectionTimeout: 20, httpAgent },
    });
    const inTime = { clock, deadline: createDeadline(nowMs + 60_000) };
    const first = invokeFunction(inTime, patient, 'renderer', job);
    await begun.promise;
    const second = invokeFunction(inTime, narrow, 'renderer', job);
    await expect(second).rejects.toMatchObject(makeBusyError('did not establish a connection'));
    expect(pauses).toEqual([150, 300]);
    end.resolve({ outcome: 'stored' });
    expect(await first).toEqual(stored);
  });

  test('a call fails with the error of the function or of Lambda', async () => {
    handler = async () => {
      throw new TypeError('no such format');
    };
    await expect(call()).rejects.toThrow(/Unhandled.*TypeError.*no such format/);
    await expect(call(60_000, 'toString')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(invocations).toBe(2);
  });
});

describe('invokeLater', () => {
  const call = (name = 'renderer') => invokeLater(services, lambda, name, job);

  test('a function gets the event that it was sent', async () => {
    const receivedEvents: unknown[] = [];
    handler = async (event) => void receivedEvents.push(event);
    await call();
    await aws.awaitDrained();
    expect(receivedEvents).toEqual([job]);
  });

  test('an event is sent again when Lambda takes no events, three times at most', async () => {
    refusals = [429, 429];
    await call();
    refusals = [429, 429, 429];
    await expect(call()).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    expect(invocations).toBe(6);
    await expect(call('toString')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

test('the unreserved executions of the account are read with one attempt', async () => {
  const read = (unreserved: number | undefined) =>
    readUnreservedExecutions(services, {
      send: async () => ({ AccountLimit: { UnreservedConcurrentExecutions: unreserved } }),
    } as unknown as Lambda);
  expect(await read(900)).toBe(900);
  await expect(read(undefined)).rejects.toThrow('did not say');
  refusals = [429];
  await expect(readUnreservedExecutions(services, lambda)).rejects.toMatchObject({
    name: 'TooManyRequestsException',
  });
  expect(invocations).toBe(1);
});
