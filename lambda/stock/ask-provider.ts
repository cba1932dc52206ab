/** Sends requests to a provider within its budget and the deadline, and none while its breaker is open. */

import { DeadlineReached, withTimeout } from '../base/deadline';
import { providerAttemptTimeoutMs, providerRetryPauseMs } from '../contract/timeouts';
import type { LimitServices } from '../quota/take';
import { type BreakerServices, beginProbe, closeBreaker, countFailure, openUntilMsOf } from './breaker';
import { type BudgetShare, takeFromBudget } from './provider-budget';
import { ProviderFailure, type StockProvider, type TakeRequest } from './stock-provider';

/** The reply of a provider, with the number of requests that were sent, attempts included. */
export type ProviderReply<T> = { readonly requests: number } & (
  | { readonly outcome: 'answered'; readonly content: T }
  /** The provider answers, and refuses this very request. */
  | { readonly outcome: 'rejected' }
  /** `retryMs`: moment (epoch, milliseconds) before which it is not asked again, where that is known. */
  | { readonly outcome: 'failed'; readonly retryMs?: number | undefined }
);

/** The requests to a provider that a request of ours may send. */
export interface RequestBudget {
  readonly share: BudgetShare;
  /** Attempts included. */
  readonly requestsMax: number;
  readonly requestId: string;
}

/** The requests that are sent for one question: each is taken from the budget of its provider. */
class SentRequests {
  count = 0;
  /** Moment (epoch, milliseconds) until which the budget is used up; absent while it is not. */
  retryMs: number | undefined;

  constructor(
    private readonly services: LimitServices,
    private readonly provider: StockProvider,
    private readonly budget: RequestBudget,
  ) {}

  /** Takes one more request; false where as many are sent as may be, or the budget is used up. */
  async take(): Promise<boolean> {
    const { services, provider, budget } = this;
    if (this.count >= budget.requestsMax) return false;
    this.retryMs = await takeFromBudget(services, provider, budget.share, budget.requestId);
    if (this.retryMs === undefined) this.count += 1;
    else services.telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
    return this.retryMs === undefined;
  }
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
  budget: RequestBudget,
  call: (signal: AbortSignal, takeRequest: TakeRequest) => Promise<T>,
): Promise<ProviderReply<T>> {
  const { clock, deadline } = services;
  const { name } = provider;
  const openUntilMs = openUntilMsOf(services, name);
  if (openUntilMs !== undefined) return { outcome: 'failed', requests: 0, retryMs: openUntilMs };
  beginProbe(services, name);
  const sentRequests = new SentRequests(services, provider, budget);
  for (let attempt = 1; await sentRequests.take(); attempt++) {
    const contentOrFailure = await attemptCall(services, name, (signal) =>
      call(signal, () => sentRequests.take()),
    );
    const requests = sentRequests.count;
    if (!(contentOrFailure instanceof ProviderFailure)) {
      closeBreaker(services, name);
      return { outcome: 'answered', requests, content: contentOrFailure };
    }
    const { kind, retryAfterMs } = contentOrFailure;
    if (kind === 'rejected') {
      closeBreaker(services, name);
      return { outcome: 'rejected', requests };
    }
    const leftMs = deadline.endsMs - clock.nowMs();
    const hasRequests = attempt < attemptsMax && requests < budget.requestsMax;
    const mayAskAgain = kind === 'unavailable' && hasRequests && leftMs > providerRetryPauseMs;
    if (!mayAskAgain) {
      // A call that the deadline of our request has ended says nothing about the provider.
      if (kind !== 'unavailable' || leftMs > 0) countFailure(services, name, kind, retryAfterMs);
      break;
    }
    await clock.sleep(providerRetryPauseMs);
  }
  return { outcome: 'failed', requests: sentRequests.count, retryMs: sentRequests.retryMs };
}

/** Calls a provider until the deadline of the request, or of one attempt. @returns its answer or failure */
async function attemptCall<T>(
  { clock, telemetry, deadline }: LimitServices,
  provider: string,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | ProviderFailure> {
  const leftMs = Math.max(0, deadline.endsMs - clock.nowMs());
  try {
    return await withTimeout(clock, Math.min(providerAttemptTimeoutMs, leftMs), call);
  } catch (error) {
    const failure = failureAfter(error);
    const labels = { provider, kind: failure.kind };
    telemetry.count('providerFailures', labels);
    telemetry.error('A stock provider failed', failure, labels);
    return failure;
  }
}

function failureAfter(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter threw what is no ProviderFailure (${reason}).`);
}
