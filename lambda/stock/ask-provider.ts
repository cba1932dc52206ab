/** Sends requests to a provider within its budget and the deadline, and none while its breaker is open. */

import { DeadlineReached, runWithTimeout } from '../base/deadline';
import { providerAttemptTimeoutMs, providerRetryPauseMs } from '../contract/timeouts';
import type { LimitServices } from '../quota/take';
import { type BreakerServices, closeBreaker, countFailure, passBreaker } from './breaker';
import { type BudgetShare, takeFromBudget } from './provider-budget';
import { ProviderFailure, type StockProvider, type TakeRequest } from './stock-provider';

/** The reply of a provider. `requests`: how many were sent, attempts included. */
export type ProviderReply<T> = { readonly requests: number } & (
  | { readonly outcome: 'answered'; readonly content: T }
  /** The provider answers, and refuses this very request. */
  | { readonly outcome: 'rejected' }
  /** `retryMs`: moment (epoch, milliseconds) before which it is not asked again, where that is known. */
  | { readonly outcome: 'failed'; readonly retryMs?: number | undefined }
);

/** The requests to a provider that a request for an image may send. */
export interface RequestBudget {
  readonly share: BudgetShare;
  /** Attempts included. */
  readonly requestsMax: number;
  readonly requestId: string;
}

const attemptsMax = 2;

/**
 * Sends a request to a provider, and once more when it does not answer.
 * @param call sends one request; it calls `takeRequest` before each further one
 * @throws when the table of budgets rejects a call itself (validation, permissions)
 */
export async function askProvider<T>(
  services: LimitServices & BreakerServices,
  provider: StockProvider,
  { share, requestsMax, requestId }: RequestBudget,
  call: (signal: AbortSignal, takeRequest: TakeRequest) => Promise<T>,
): Promise<ProviderReply<T>> {
  const { clock, deadline, telemetry } = services;
  const { name } = provider;
  const openUntilMs = passBreaker(services, name);
  if (openUntilMs !== undefined) return { outcome: 'failed', requests: 0, retryMs: openUntilMs };
  let requests = 0;
  const take = async (): Promise<{ readonly isTaken: boolean; readonly retryMs?: number }> => {
    if (requests >= requestsMax) return { isTaken: false };
    const retryMs = await takeFromBudget(services, provider, share, requestId);
    if (retryMs !== undefined) {
      telemetry.count('providerFailures', { provider: name, kind: 'budget' });
      return { isTaken: false, retryMs };
    }
    requests += 1;
    return { isTaken: true };
  };
  for (let attempt = 1; ; attempt++) {
    const { isTaken, retryMs } = await take();
    if (!isTaken) return { outcome: 'failed', requests, retryMs };
    const content = await attemptCall(services, name, (signal) =>
      call(signal, async () => (await take()).isTaken),
    );
    if (!(content instanceof ProviderFailure)) {
      closeBreaker(services, name);
      return { outcome: 'answered', requests, content };
    }
    const { kind, retryAfterMs } = content;
    if (kind === 'rejected') {
      closeBreaker(services, name);
      return { outcome: 'rejected', requests };
    }
    const leftMs = deadline.endsMs - clock.nowMs();
    const hasAttempt = attempt < attemptsMax && requests < requestsMax && leftMs > providerRetryPauseMs;
    if (kind !== 'unavailable' || !hasAttempt) {
      // A call that the deadline of our request has ended says nothing about the provider.
      if (kind !== 'unavailable' || leftMs > 0) countFailure(services, name, kind, retryAfterMs);
      return { outcome: 'failed', requests };
    }
    await clock.sleep(providerRetryPauseMs);
  }
}

/** Calls a provider, and waits until the deadline of the request, or that of one attempt. */
async function attemptCall<T>(
  { clock, telemetry, deadline }: LimitServices,
  provider: string,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | ProviderFailure> {
  const leftMs = Math.max(0, deadline.endsMs - clock.nowMs());
  try {
    return await runWithTimeout(clock, Math.min(providerAttemptTimeoutMs, leftMs), call);
  } catch (error) {
    const failure = toProviderFailure(error);
    const labels = { provider, kind: failure.kind };
    telemetry.count('providerFailures', labels);
    telemetry.error('A stock provider failed', failure, labels);
    return failure;
  }
}

function toProviderFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter threw what is no ProviderFailure (${reason}).`);
}
