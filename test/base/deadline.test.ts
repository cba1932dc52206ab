/** Work ends at its deadline without leaks. */

import { type Clock, systemClock } from '../../lambda/base/clock';
import {
  abortAfter,
  DeadlineReached,
  deadlineAt,
  runUntil,
  runWithTimeout,
  signalWithin,
} from '../../lambda/base/deadline';
import { createVirtualClock } from '../fakes/clock';

const never = () => new Promise<never>(() => undefined);

describe.each<
  [string, <T>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<T>) => Promise<T>]
>([
  ['deadline', (clock, ms, work) => runUntil(clock, clock.nowMs() + ms, work)],
  ['timeout', runWithTimeout],
])('work with a %s', (_, within) => {
  it('work that ends in time is given back, and its failure too, whether at once or later', async () => {
    const clock = createVirtualClock(0);
    const atOnce = () => {
      throw new Error('at once');
    };
    expect(await within(clock, 1, async () => 'done')).toBe('done');
    await expect(within(clock, 1, async () => Promise.reject(new Error('later')))).rejects.toThrow('later');
    await expect(within(clock, 1, atOnce)).rejects.toThrow('at once');
  });

  it('work is aborted at its deadline, and not before', async () => {
    const clock = createVirtualClock(0);
    let signal: AbortSignal | undefined;
    const outcome = within(clock, 2_500, (given) => {
      signal = given;
      return never();
    }).catch((error) => error);
    await clock.advance(2_499);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(await outcome).toBeInstanceOf(DeadlineReached);
    expect(signal?.aborted).toBe(true);
  });
});

it('work whose deadline has passed already ends at once', async () => {
  const clock = createVirtualClock();
  await expect(clock.settle(runUntil(clock, clock.nowMs() - 1_000, never))).rejects.toThrow(DeadlineReached);
});

describe('aborting a call', () => {
  it('an aborted call fails with the message that it was given', async () => {
    const aborted = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    await expect(abortAfter(systemClock, 1, 'No answer within 1 ms', aborted)).rejects.toThrow(
      'No answer within 1 ms',
    );
  });

  it('a call is not aborted for the time in which this process was too busy to look', async () => {
    const answered = await abortAfter(systemClock, 20, 'late', async (signal) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      // The next turns of the event loop read answers that have arrived meanwhile.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
      return !signal.aborted;
    });
    expect(answered).toBe(true);
  });
});

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
it.each<[string, <T>(work: () => Promise<T>) => Promise<T>]>([
  ['deadline', (work) => runUntil(systemClock, systemClock.nowMs() + 60_000, work)],
  ['timeout', (work) => runWithTimeout(systemClock, 60_000, work)],
  ['signal', (work) => abortAfter(systemClock, 60_000, 'late', work)],
])('work with a %s leaves no timer behind when it has ended or failed', async (_, within) => {
  const before = timers();
  expect([(await within(async () => timers())) - before, timers() - before]).toEqual([1, 0]);
  await expect(within(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(timers()).toBe(before);
});

it.each([
  ['when the request has no time left', 0, 60_000],
  ['when its own time is over', 60_000, 1],
])('the signal of a call is aborted %s', async (_, leftMs, waitMsMax) => {
  const clock = createVirtualClock();
  const signal = signalWithin({ clock, deadline: deadlineAt(clock.nowMs() + leftMs) }, waitMsMax);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason.name).toBe('TimeoutError');
});
