/** Tells the time and pauses work. Tests replace the clock. */

import { setTimeout } from 'node:timers/promises';

/** The present moment, and pauses that a signal can end. */
export interface Clock {
  nowMs(): number;
  /** Resolves after a delay in milliseconds. Rejects if the signal is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (delayMs, signal) => setTimeout(delayMs, undefined, signal ? { signal } : {}),
};
