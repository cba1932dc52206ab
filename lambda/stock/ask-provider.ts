/** Sends requests to a provider: within its budget and the deadline, and none while its breaker is open. */

import { DeadlineReached, runUntil } from '../base/deadline';
import { providerAttemptsMax, providerAttemptTimeoutMs, providerRetryPauseMs } from '../contract/timeouts';
import type { LimitServices } from '../quota/take';
import { type BreakerServices, findOpenUntilMs, passBreaker } from './breaker';
import { type BudgetShare, takeFromBudget } from './provider-budget';
import { ProviderFailure, type StockProvider, type TakeRequest } from './stock-provider';

/** The reply of a provider. `requests`: the number of requests that were sent, attempts included. */
export type ProviderReply<T> = { readonly requests: number } & (
  | { readonly outcome: 'answered'; readonly content: T }
  /** The provider works, and refuses this very request. */
  | { readonly outcome: 'rejected' }
  /** `retryAtMs`: moment from which it may be asked again; absent if it is not known. */
  | { readonly outcome: 'failed'; readonly retryAtMs?: number | undefined }
);

/** The provider requests that one request for an image may send. */
export interface RequestBudget {
  readonly share: BudgetShare;
  /** Attempts included. */
  readonly requestsMax: number;
  readonly requestId: string;
}

/**
 * Sends a request to a provider. One that does not answer is asked `providerAttemptsMax` times at most.
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
  const breakerPass = passBreaker(services, name);
  if (breakerPass.outcome === 'held-back')
    return { outcome: 'failed', requests: 0, retryAtMs: breakerPass.openUntilMs };
  let requests = 0;
  let retryAtMs: number | undefined;
  const takeRequest = async () => {
    if (requests >= requestsMax) return false;
    retryAtMs = await takeFromBudget(services, provider, share, requestId);
    if (retryAtMs === undefined) requests += 1;
    else telemetry.count('providerFailures', { provider: name, kind: 'budget' });
    return retryAtMs === undefined;
  };
  try {
    if (!(await takeRequest())) return { outcome: 'failed', requests, retryAtMs };
  } finally {
    if (requests === 0) breakerPass.giveBackProbe();
  }
  for (let attempt = 1; ; attempt++) {
    const reply = await attemptCall(services, name, (signal) => call(signal, takeRequest));
    if (!(reply instanceof ProviderFailure)) {
      breakerPass.close();
      return { outcome: 'answered', requests, content: reply };
    }
    const { kind, retryAfterMs } = reply;
    if (kind === 'rejected') {
      breakerPass.close();
      return { outcome: 'rejected', requests };
    }
    const remainingMs = deadline.endsMs - clock.nowMs();
    const mayRetry =
      kind === 'unavailable' && attempt < providerAttemptsMax && remainingMs > providerRetryPauseMs;
    if (!mayRetry || !(await takeRequest())) {
      // If the deadline of our own request ended the call, the provider is not to blame.
      if (kind !== 'unavailable' || remainingMs > 0) breakerPass.countFailure(kind, retryAfterMs);
      return { outcome: 'failed', requests, retryAtMs: findOpenUntilMs(services, name) ?? retryAtMs };
    }
    await clock.sleep(providerRetryPauseMs);
  }
}

/** Calls a provider once. The call ends at the timeout of an attempt, or at the deadline of the request. */
async function attemptCall<T>(
  { clock, telemetry, deadline }: LimitServices,
  provider: string,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | ProviderFailure> {
  const endsMs = Math.min(clock.nowMs() + providerAttemptTimeoutMs, deadline.endsMs);
  try {
    return await runUntil(clock, endsMs, call);
  } catch (error) {
    const failure = makeProviderFailure(error);
    const labels = { provider, kind: failure.kind };
    telemetry.count('providerFailures', labels);
    telemetry.error('A stock provider failed', failure, labels);
    return failure;
  }
}

function makeProviderFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  return new ProviderFailure('malformed', `The adapter threw what is no ProviderFailure (${error}).`);
}
