/** Use this clock where time must pass at once, and these promises where work must stop at a point. */

import type { Clock } from '../../lambda/base/clock';

export interface VirtualClock extends Clock {
  /** Lets time pass, waking every sleeper at its moment. */
  advance(durationMs: number): Promise<void>;
  /** Lets as much time pass as a promise needs to settle, jumping from sleeper to sleeper. */
  settle<T>(promise: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly wakesMs: number;
  readonly wake: () => void;
}

export function createVirtualClock(startMs = Date.UTC(2026, 10, 21, 12)): VirtualClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();

  const findNextSleeper = (): Sleeper | undefined =>
    [...sleepers].reduce<Sleeper | undefined>(
      (first, sleeper) => (first && first.wakesMs <= sleeper.wakesMs ? first : sleeper),
      undefined,
    );

  const wake = async (sleeper: Sleeper) => {
    nowMs = Math.max(nowMs, sleeper.wakesMs);
    sleepers.delete(sleeper);
    sleeper.wake();
    await letOthersRun();
  };

  return {
    nowMs: () => nowMs,

    sleep(delayMs, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { wakesMs: nowMs + delayMs, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      });
    },

    async advance(durationMs) {
      const endsMs = nowMs + durationMs;
      await letOthersRun();
      for (let first = findNextSleeper(); first && first.wakesMs <= endsMs; first = findNextSleeper())
        await wake(first);
      nowMs = endsMs;
    },

    async settle(promise) {
      let isSettled = false;
      const done = promise.then(
        () => (isSettled = true),
        () => (isSettled = true),
      );
      for (let idle = 0; !isSettled && idle < 1_000; ) {
        await letOthersRun();
        const first = isSettled ? undefined : findNextSleeper();
        if (first) await wake(first);
        else idle++;
      }
      if (!isSettled) throw new Error('The promise waits for something that no time brings.');
      await done;
      return promise;
    },
  };
}

export type Deferred<T> = ReturnType<typeof createDeferred<T>>;

export function createDeferred<T>() {
  let settle: [resolve: (value: T) => void, reject: (reason: unknown) => void] | undefined;
  const promise = new Promise<T>((...settlers) => {
    settle = settlers;
  });
  const [resolve, reject] = settle as unknown as NonNullable<typeof settle>;
  return { promise, resolve, reject };
}

/** Lets everything happen that waits for nothing. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Whether a promise is settled once everything has happened that waits for nothing. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < 20; turn++) await letOthersRun();
  return settled;
}
