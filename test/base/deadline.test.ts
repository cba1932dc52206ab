/** Work ends at its deadline without leaks. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../lambda/base/clock';
import {
  abortAfter,
  createDeadline,
  createSignal,
  DeadlineReached,
  runUntil,
} from '../../lambda/base/deadline';
import { createVirtualClock } from '../fakes/clock';

const waitForever = () => new Promise<never>(() => undefined);

test('when work ends before its deadline, its result or error is returned', async () => {
  const clock = createVirtualClock(0);
  const throwAtOnce = () => {
    throw new Error('at once');
  };
  expect(await runUntil(clock, 1, async () => 'done')).toBe('done');
  await expect(runUntil(clock, 1, () => Promise.reject(new Error('later')))).rejects.toThrow('later');
  await expect(runUntil(clock, 1, throwAtOnce)).rejects.toThrow('at once');
});

test('work is aborted exactly at its deadline', async () => {
  const clock = createVirtualClock(0);
  let signal: AbortSignal | undefined;
  const outcome = runUntil(clock, 2_500, (workSignal) => {
    signal = workSignal;
    return waitForever();
  }).catch((error) => error);
  await clock.advance(2_499);
  expect(signal?.aborted).toBe(false);
  await clock.advance(1);
  expect(await outcome).toBeInstanceOf(DeadlineReached);
  expect(signal?.aborted).toBe(true);
});

test('work ends at once if its deadline has already passed', async () => {
  const clock = createVirtualClock();
  await expect(clock.settle(runUntil(clock, clock.nowMs() - 1_000, waitForever))).rejects.toThrow(
    DeadlineReached,
  );
});

describe('abortAfter', () => {
  const rejectAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });

  test('a call fails with its message when its time is over', async () => {
    await expect(abortAfter(1, 'No answer within 1 ms', rejectAborted)).rejects.toThrow(
      'No answer within 1 ms',
    );
  });

  test('an answer that arrived while Lambda was frozen is returned', async () => {
    const hasAnswered = new Int32Array(new SharedArrayBuffer(4));
    const answering = `const { parentPort, workerData } = require('node:worker_threads');
      parentPort.once('message', () => {
        parentPort.postMessage('answer');
        Atomics.store(workerData, 0, 1);
        Atomics.notify(workerData, 0);
      });`;
    const server = new Worker(answering, { eval: true, workerData: hasAnswered });
    await once(server, 'online');
    // After this turn the event loop looks at its timers before it reads messages.
    await new Promise((resolve) => setImmediate(resolve));
    const answer = await abortAfter(1, 'late', async (signal) => {
      const answers = once(server, 'message');
      server.postMessage('ask');
      Atomics.wait(hasAnswered, 0, 0);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      return Promise.race([answers, rejectAborted(signal)]);
    });
    expect(answer).toEqual(['answer']);
    await server.terminate();
  });
});

const countTimers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
test.each<[string, <T>(work: () => Promise<T>) => Promise<T>]>([
  ['deadline', (work) => runUntil(systemClock, systemClock.nowMs() + 60_000, work)],
  ['signal', (work) => abortAfter(60_000, 'late', work)],
])('work with a %s leaves no timer behind when it has ended or failed', async (_, runWork) => {
  const timersBefore = countTimers();
  expect([(await runWork(async () => countTimers())) - timersBefore, countTimers() - timersBefore]).toEqual([
    1, 0,
  ]);
  await expect(runWork(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(countTimers()).toBe(timersBefore);
});

test.each([
  ['when the request has no time left', 0, 60_000],
  ['when its own time is over', 60_000, 1],
])('the signal of a call is aborted %s', async (_, leftMs, waitMsMax) => {
  const clock = createVirtualClock();
  const signal = createSignal({ clock, deadline: createDeadline(clock.nowMs() + leftMs) }, waitMsMax);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason.name).toBe('TimeoutError');
});
