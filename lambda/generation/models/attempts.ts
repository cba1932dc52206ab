/** Repeats a request to a generator after failures that may pass. */

import type { Clock } from '../../base/clock';
import { retry } from '../../base/retry';
import { modelPatienceMs, modelPauseMs } from '../../contract/timeouts';
import { GeneratorFailure } from '../generator';

/** How often one image is asked for at most. */
const attemptsMax = 3;
/** @throws the `GeneratorFailure` of the last attempt. */
export function withAttempts<T>(clock: Clock, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  return retry(request, { attemptsMax, pauseMsAfter, clock, signal });
}

function pauseMsAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof GeneratorFailure) || !error.retryable) return undefined;
  const restMs = error.retryAfterMs ?? modelPauseMs * 2 ** (attempt - 1);
  return restMs > modelPatienceMs ? undefined : restMs;
}

/** The failure of a request that got no answer: the time was up, or the way was broken. */
export function noAnswer(generator: string, signal: AbortSignal, cause: unknown): GeneratorFailure {
  const what = signal.aborted ? 'did not answer in time' : 'could not be reached';
  return new GeneratorFailure('unavailable', `${generator} ${what}`, { cause });
}
