/** Repeats a request to a generator after failures that may pass. */

import { modelPatienceMs, modelPauseMs } from '../../contract/timeouts';
import type { Clock } from '../../ports/clock';
import { GeneratorFailure } from '../../ports/generator';

/** How often one image is asked for at most. */
const attemptsMax = 3;

/** @throws the `GeneratorFailure` of the last attempt. */
export async function withAttempts<T>(clock: Clock, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof GeneratorFailure) || !error.retryable || attempt === attemptsMax) throw error;
      const restMs = error.retryAfterMs ?? modelPauseMs * 2 ** (attempt - 1);
      if (restMs > modelPatienceMs || signal.aborted) throw error;
      await clock.sleep(restMs, signal).catch(() => {
        throw error;
      });
    }
  }
}

/** The failure of a request that got no answer: the time was up, or the way was broken. */
export function noAnswer(generator: string, signal: AbortSignal, cause: unknown): GeneratorFailure {
  const what = signal.aborted ? 'did not answer in time' : 'could not be reached';
  return new GeneratorFailure('unavailable', `${generator} ${what}`, { cause });
}
