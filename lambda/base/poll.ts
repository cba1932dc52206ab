/** Reads a value again after growing pauses until it is no longer pending or the time is over. */

import type { Clock } from './clock';

interface PollOptions {
  readonly clock: Clock;
  /** Moment (epoch, milliseconds) of the last read. */
  readonly endsMs: number;
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** How many times as long each pause is as the one before. */
  readonly growth?: number;
}

/**
 * The first value that is not pending, or the last one read.
 * @param initial what is known already; without a pending one nothing is read
 * @param read gets the number of the read, from 1
 */
export async function poll<T>(
  initial: T,
  isPending: (value: T) => boolean,
  read: (count: number) => Promise<T>,
  { clock, endsMs, firstPauseMs = 60, longestPauseMs = 400, growth = 1.6 }: PollOptions,
): Promise<T> {
  let value = initial;
  let pauseMs = firstPauseMs;
  for (let count = 1; isPending(value); count++) {
    const leftMs = endsMs - clock.nowMs();
    if (leftMs <= 0) break;
    await clock.sleep(Math.min(pauseMs, leftMs));
    pauseMs = Math.min(longestPauseMs, pauseMs * growth);
    value = await read(count);
  }
  return value;
}
