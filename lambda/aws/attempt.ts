/** Makes one call of AWS, again where that is safe, and never beyond the time of the request. */

import type { Clock } from '../base/clock';
import { abortAfter, type Deadline, DeadlineReached } from '../base/deadline';

/** What an attempt needs of `Services`. */
export interface AttemptServices {
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly deadline: Deadline;
}

/** How a call is repeated. */
export interface Attempts {
  /** In all, the first included. */
  readonly attemptsMax: number;
  /** Longest wait for each of them, in milliseconds; less where the request has less left. */
  readonly attemptMs: number;
  /** Before the second attempt, in milliseconds; doubled each time, and shortened by up to a half at random. */
  readonly pauseMs: number;
  /** Whether an error says that another attempt is safe and may succeed. */
  readonly isRepeatable: (error: unknown) => boolean;
}

/**
 * @param send makes one attempt; its signal is aborted when the attempt or the request has no time left
 * @throws `DeadlineReached` when the request has no time left and nothing was sent, otherwise the error of the last attempt
 */
export async function attempt<T>(
  { clock, random, deadline }: AttemptServices,
  { attemptsMax, attemptMs, pauseMs, isRepeatable }: Attempts,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = () => deadline.endsMs - clock.nowMs();
  if (leftMs() <= 0) throw new DeadlineReached('The request has no time left for another call.');
  for (let count = 1; ; count++) {
    const waitMs = Math.max(1, Math.min(attemptMs, leftMs()));
    try {
      return await abortAfter(waitMs, `No answer within ${waitMs} ms`, send);
    } catch (error) {
      const delayMs = pauseMs * 2 ** (count - 1) * (0.5 + random() / 2);
      if (count >= attemptsMax || delayMs >= leftMs() || !isRepeatable(error)) throw error;
      await clock.sleep(delayMs);
    }
  }
}
