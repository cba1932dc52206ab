/** Repeats work whose failure may pass, for every service, provider and model that is called. */

import type { Clock } from './clock';

interface RetryOptions {
  /** Attempts in all, the first included. */
  readonly attemptsMax: number;
  /** Milliseconds to wait after an attempt (from 1); `undefined` where another one would not help. */
  readonly pauseMsAfter: (error: unknown, attempt: number) => number | undefined;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the pauses: no attempt begins after it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Does the work, and again after each failure that may pass. @throws the error of the last attempt */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attemptsMax, pauseMsAfter, clock, signal } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = attempt < attemptsMax ? pauseMsAfter(error, attempt) : undefined;
      if (pauseMs === undefined || signal?.aborted) throw error;
      const isOver = await clock.sleep(pauseMs, signal).catch(() => true);
      if (isOver) throw error;
    }
  }
}
