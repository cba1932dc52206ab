/** One question to a provider: within its budget, with a deadline, once more when it did not answer, never while it rests. */

import { providerAttemptTimeoutMs, providerPausesMs } from '../../contract/timeouts';
import type { Candidate } from '../../domain/image/image';
import type { Clock } from '../../ports/clock';
import { ProviderFailure, type StockProvider, type StockQuery } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import type { Budget } from './budget';
import type { Circuit } from './circuit';
import { DeadlineReached, withDeadline, withTimeout } from './deadline';

interface Asked {
  /** `undefined` when the provider failed. */
  readonly candidates: readonly Candidate[] | undefined;
  /** Whether the provider was really asked. */
  readonly asked: boolean;
}

export interface AskDeps {
  readonly circuit: Circuit;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export type Ask = (provider: StockProvider, query: StockQuery, deadlineMs: number) => Promise<Asked>;

export function createAsk({ circuit, budget, clock, telemetry }: AskDeps): Ask {
  const attempt = async (provider: StockProvider, query: StockQuery, deadlineMs: number) => {
    try {
      return await withDeadline(clock, deadlineMs, (ended) =>
        withTimeout(clock, providerAttemptTimeoutMs, (late) =>
          provider.search(query, AbortSignal.any([ended, late])),
        ),
      );
    } catch (error) {
      return failureOf(error);
    }
  };

  return async (provider, query, deadlineMs) => {
    const admission = await circuit.admit(provider.name);
    if (admission.state === 'open') return { candidates: undefined, asked: false };
    let failure: ProviderFailure | undefined;
    for (const pauseBeforeMs of providerPausesMs) {
      if (failure && clock.nowMs() + pauseBeforeMs >= deadlineMs) break;
      if (pauseBeforeMs > 0) await clock.sleep(pauseBeforeMs);
      if (!(await budget.take(provider))) {
        telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
        break;
      }
      const found = await attempt(provider, query, deadlineMs);
      if (!(found instanceof ProviderFailure)) {
        await circuit.succeeded(provider.name, admission);
        return { candidates: found, asked: true };
      }
      failure = found;
      telemetry.count('providerFailures', { provider: provider.name, kind: failure.kind });
      telemetry.error('A stock provider failed', failure, { provider: provider.name, kind: failure.kind });
      if (failure.kind !== 'unavailable') break;
    }
    // What ended because the caller's own time was up says nothing about the provider, and nor does a lack of budget.
    const blamed = failure && !(failure.kind === 'unavailable' && clock.nowMs() >= deadlineMs);
    if (failure?.kind === 'rejected') await circuit.succeeded(provider.name, admission);
    else if (blamed) await circuit.failed(provider.name, admission, failure as ProviderFailure);
    else await circuit.undecided(provider.name, admission);
    // A provider that refuses these very words has no image for them.
    return { candidates: failure?.kind === 'rejected' ? [] : undefined, asked: failure !== undefined };
  };
}

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter broke its promise (${reason}).`);
}
