/** How many threads draw, and that a full queue is refused as Lambda refuses it. */

import { Failure } from '../../cli/failure';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { createLambdaEndpoint, type LocalContext } from '../../local/aws';
import { runInvocation } from '../../local/workers/run-invocation';
import { interruptible, startWorkerThreads, threadsFor } from '../../local/workers/worker-threads';
import { listenOnLoopback } from '../fakes/loopback';

test.each([
  [1, 4, 1],
  [2, 4, 1],
  [4, 4, 3],
  [8, 4, 3],
  [8, 12, 7],
  [16, 1, 1],
])('with %i cores and %i libuv threads, %i threads draw', (cores, pool, threads) => {
  expect(threadsFor(cores, pool)).toBe(threads);
});

test.each(['Event', 'RequestResponse'])(
  'a full queue refuses an invocation (%s) and runs nothing',
  async (type) => {
    let runs = 0;
    const handler = async () => void runs++;
    const { handle } = createLambdaEndpoint({ generator: { handler, isFull: () => true } }, () => undefined);
    const loopback = await listenOnLoopback(handle);
    const response = await fetch(`${loopback.address}/2015-03-31/functions/generator/invocations`, {
      method: 'POST',
      headers: { 'x-amz-invocation-type': type },
      body: '{}',
    });
    await loopback.stop();
    expect([response.status, response.headers.get('x-amzn-errortype'), runs]).toEqual([
      429,
      'TooManyRequestsException',
      0,
    ]);
  },
);

test.each(['renderer', 'generator'] as const)(
  'the %s has its own time, as in the stack',
  async (functionName) => {
    const load = async () => async (_: unknown, context: LocalContext) => context.getRemainingTimeInMillis();
    const left = await runInvocation({ functionName, event: {} }, { renderer: load, generator: load });
    // Some of it is gone by the time the function asks.
    expect(Math.ceil(Number(left) / 10_000)).toBe(Math.ceil(functionTimeoutsS[functionName] / 10));
  },
);

test('the end ends the threads of both functions, and what they are at', async () => {
  const remote = { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9', model: 'm' };
  const { functions, stop } = startWorkerThreads({
    IMAGE_STORE: 'file:///images',
    CACHE_TABLE: 'c',
    CONTACT: 'a@b.example',
    QUOTA_COUNTERS_TABLE: 'q',
    GENERATION_INDEX_TABLE: 'g',
    GENERATOR: JSON.stringify(remote),
  });
  const context = { functionName: 'any', awsRequestId: 'r', getRemainingTimeInMillis: () => 1 };
  const running = [functions.renderer, functions.generator].map(({ handler }) =>
    handler({}, context).catch((error: Error) => String(error.cause)),
  );
  await stop();
  const ended = 'Error: Terminating worker thread';
  expect(await Promise.all(running)).toEqual([ended, ended]);
});

test('what the end of the service interrupts fails in one line, and nothing else does', async () => {
  let isStopping = false;
  const fault = new Error('Terminating worker thread');
  const context = { functionName: 'generator', awsRequestId: 'r', getRemainingTimeInMillis: () => 1 };
  const handler = interruptible(
    'generator',
    () => Promise.reject(fault),
    () => isStopping,
  );
  await expect(handler({}, context)).rejects.toBe(fault);
  isStopping = true;
  const error = await handler({}, context).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({
    message: 'The service ended while the generator was still at work.',
    cause: fault,
  });
  await expect(
    interruptible(
      'renderer',
      async () => 1,
      () => true,
    )({}, context),
  ).resolves.toBe(1);
});
