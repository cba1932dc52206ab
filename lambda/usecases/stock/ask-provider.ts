/** Asks a provider once: within its budget, with a deadline, again when it did not answer, never while its circuit is open. */

import { DeadlineReached, withDeadline, withTimeout } from '../../async/deadline';
import { retry } from '../../async/retry';
import { providerAttemptTimeoutMs, providerPausesMs } from '../../contract/timeouts';
import type { Candidate } from '../../domain/image/image';
import type { Clock } from '../../ports/clock';
import { ProviderFailure, type StockProvider, type StockQuery } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import type { Budget } from './budget';
import type { Circuit } from './circuit';

interface Asked {
  /** `undefined` when the provider failed. */
  readonly candidates: readonly Candidate[] | undefined;
  /** Whether the provider was really asked. */
  readonly asked: boolean;
  /** Moment (epoch, milliseconds) before which it is not asked again; absent where no circuit is open. */
  readonly retryAtMs?: number;
}

export interface AskDeps {
  readonly circuit: Circuit;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export type Ask = (provider: StockProvider, query: StockQuery, deadlineMs: number) => Promise<Asked>;

export function createAsk({ circuit, budget, clock, telemetry }: AskDeps): Ask {
  return async (provider, query, deadlineMs) => {
    const admission = await circuit.admit(provider.name);
    if (admission.state === 'open')
      return { candidates: undefined, asked: false, retryAtMs: admission.untilMs };
    let failure: ProviderFailure | undefined;

    /** @returns `undefined` when the budget is used up. @throws `ProviderFailure` */
    const attempt = async (): Promise<readonly Candidate[] | undefined> => {
      if (!(await budget.take(provider))) {
        telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
        return undefined;
      }
      try {
        return await searchInTime(clock, provider, query, deadlineMs);
      } catch (error) {
        failure = failureOf(error);
        telemetry.count('providerFailures', { provider: provider.name, kind: failure.kind });
        telemetry.error('A stock provider failed', failure, { provider: provider.name, kind: failure.kind });
        throw failure;
      }
    };
    const pauseMsAfter = (error: unknown, attempts: number) => {
      const pauseMs = providerPausesMs[attempts];
      const isWorthIt = (error as ProviderFailure).kind === 'unavailable';
      return isWorthIt && pauseMs !== undefined && clock.nowMs() + pauseMs < deadlineMs ? pauseMs : undefined;
    };
    const attemptsMax = providerPausesMs.length;
    const candidates = await retry(attempt, { attemptsMax, pauseMsAfter, clock }).catch(() => undefined);
    if (candidates) {
      await circuit.succeeded(provider.name, admission);
      return { candidates, asked: true };
    }
    // A provider that refuses these very words works, and has no image for them.
    if (failure?.kind === 'rejected') {
      await circuit.succeeded(provider.name, admission);
      return { candidates: [], asked: true };
    }
    // What ended because the caller's own time was up says nothing about the provider, and nor does a lack of budget.
    const isBlamed = failure && !(failure.kind === 'unavailable' && clock.nowMs() >= deadlineMs);
    if (failure && isBlamed) await circuit.failed(provider.name, admission, failure);
    else await circuit.undecided(provider.name, admission);
    return { candidates: undefined, asked: failure !== undefined };
  };
}

function searchInTime(
  clock: Clock,
  provider: StockProvider,
  query: StockQuery,
  deadlineMs: number,
): Promise<readonly Candidate[]> {
  return withDeadline(clock, deadlineMs, (ended) =>
    withTimeout(clock, providerAttemptTimeoutMs, (late) =>
      provider.search(query, AbortSignal.any([ended, late])),
    ),
  );
}

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter broke its promise (${reason}).`);
}
