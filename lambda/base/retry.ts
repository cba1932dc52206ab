/** Repeats work that failed in a way that may pass: a fixed number of attempts, with a pause before each further one. */

import type { Clock } from './clock';

interface RetryOptions {
  /** Attempts in all, the first included. */
  readonly attemptsMax: number;
  /** Pause after a failed attempt (counted from 1), in milliseconds; `undefined` when another one would not help. */
  readonly pauseMsAfter: (error: unknown, attempt: number) => number | undefined;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the pauses: no attempt begins after it is aborted. */
  readonly signal?: AbortSignal;
}

/** @throws the error of the last attempt. */
export async function retry<T>(
  work: () => Promise<T>,
  { attemptsMax, pauseMsAfter, clock, signal }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = attempt < attemptsMax ? pauseMsAfter(error, attempt) : undefined;
      if (pauseMs === undefined || signal?.aborted) throw error;
      if (pauseMs === 0) continue;
      await clock.sleep(pauseMs, signal).catch(() => {
        throw error;
      });
    }
  }
}
