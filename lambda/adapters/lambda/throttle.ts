/** Repeats an invocation that Lambda refused for want of free instances. It refuses before it starts anything, so that is safe. */

import { retry } from '../../async/retry';
import { invokeAttemptsMax, invokePauseMs } from '../../contract/timeouts';
import type { Clock } from '../../ports/clock';

/** @throws the error of the last attempt. */
export function retryThrottled<T>(clock: Clock, invoke: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const pauseMsAfter = (error: unknown, attempt: number) =>
    isThrottled(error) ? invokePauseMs * attempt : undefined;
  return retry(invoke, { attemptsMax: invokeAttemptsMax, pauseMsAfter, clock, ...(signal && { signal }) });
}

/** Whether Lambda refused for want of free instances. */
export function isThrottled(error: unknown): boolean {
  return (error as { readonly name?: unknown } | undefined)?.name === 'TooManyRequestsException';
}
