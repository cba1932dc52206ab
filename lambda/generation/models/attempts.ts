/** Repeats a request to a generator after failures that may pass and cost nothing. */

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

/** Codes of errors of a connection that was never made, so that nothing was asked. */
const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']);

/** The failure of a request that got no answer: the time was up, or the way was broken. */
export function noAnswer(generator: string, signal: AbortSignal, cause: unknown): GeneratorFailure {
  const what = signal.aborted ? 'did not answer in time' : 'could not be reached';
  const isUnbilled = unconnected.has(codeOf(cause));
  return new GeneratorFailure('unavailable', `${generator} ${what}`, { cause, isUnbilled });
}

/** `fetch` throws an error whose cause is the one of the connection. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

/** Whether an error answer says that the request may still be worked on: something between has given it up. */
export function isGivenUp(status: number | undefined): boolean {
  return status === 408 || status === 502 || status === 504;
}
