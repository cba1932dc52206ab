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
  const { name } = provider;
  const openUntilMs = passBreaker(services, name);
  if (openUntilMs !== undefined) return { outcome: 'failed', requests: 0, retryMs: openUntilMs };
  let requests = 0;
  let retryMs: number | undefined;
  const takeRequest = async () => {
    if (requests >= requestsMax) return false;
    retryMs = await takeFromBudget(services, provider, share, requestId);
    if (retryMs === undefined) requests += 1;
    else services.telemetry.count('providerFailures', { provider: name, kind: 'budget' });
    return retryMs === undefined;
  };
  for (let attempt = 1; await takeRequest(); attempt++) {
    const hasAttempt = () => attempt < attemptsMax && requests < requestsMax;
    const reply = await askOnce(services, name, hasAttempt, (signal) => call(signal, takeRequest));
    if (reply.outcome === 'answered' || reply.outcome === 'rejected') return { ...reply, requests };
    if (reply.outcome === 'failed') break;
    await services.clock.sleep(providerRetryPauseMs);
  }
  return { outcome: 'failed', requests, retryMs };
}

/** Asks a provider once, and lets its breaker know. @returns `again`: it may answer the next attempt */
async function askOnce<T>(
  services: LimitServices & BreakerServices,
  name: string,
  hasAttempt: () => boolean,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<{ outcome: 'answered'; content: T } | { outcome: 'rejected' } | { outcome: 'again' | 'failed' }> {
  const contentOrFailure = await attemptCall(services, name, call);
  if (!(contentOrFailure instanceof ProviderFailure)) {
    closeBreaker(services, name);
    return { outcome: 'answered', content: contentOrFailure };
  }
  const { kind, retryAfterMs } = contentOrFailure;
  if (kind === 'rejected') {
    closeBreaker(services, name);
    return { outcome: 'rejected' };
  }
  const leftMs = services.deadline.endsMs - services.clock.nowMs();
  if (kind === 'unavailable' && hasAttempt() && leftMs > providerRetryPauseMs) return { outcome: 'again' };
  // A call that the deadline of our request has ended says nothing about the provider.
  if (kind !== 'unavailable' || leftMs > 0) countFailure(services, name, kind, retryAfterMs);
  return { outcome: 'failed' };
}

/** Calls a provider until the deadline of the request, or of one attempt. @returns its reply or failure */
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
