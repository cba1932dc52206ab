/** Sends a request to a provider: within its budget, with a deadline, again when it did not answer, never while its circuit is open. */

import type { Clock } from '../base/clock';
import { DeadlineReached, withDeadline, withTimeout } from '../base/deadline';
import { retry } from '../base/retry';
import type { Telemetry } from '../base/telemetry';
import { providerAttemptTimeoutMs, providerPausesMs } from '../contract/timeouts';
import type { ChargeRefusal } from '../problems/problem';
import type { StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import type { Budget } from './budget';
import type { Circuit } from './circuit';
import type { SearchCaller } from './search-caller';
import { ProviderFailure, type StockProvider, type TakeRequest } from './stock-provider';
import type { Subject } from './understand';

/** A search for the image of a request, before it is known which provider answers it. */
export interface Search {
  readonly request: StockRequest;
  /** What the request is understood to ask for. */
  readonly subject: Subject;
  readonly format: RenditionFormat;
  /** Moment (epoch, milliseconds) by which there is an answer. */
  readonly deadlineMs: number;
  readonly caller: SearchCaller;
}

/** A search at one provider. */
export interface ProviderSearch extends Search {
  readonly provider: StockProvider;
  /** Requests that it may send to the provider. */
  readonly requestsMax: number;
}

/** What the steps of a search have met at a provider, beside what they found. */
export interface Met {
  /** Requests that reached the provider, all calls and attempts together. */
  readonly requestsSent: number;
  /** The provider or the renderer failed, so another attempt might find an image. */
  readonly isFailed?: true;
  /** The tables that a search needs did not answer in time, so nothing was sent to the provider. */
  readonly isOutage?: true;
  /** The renderer had too much to do for an image that was found. */
  readonly isRendererBusy?: true;
  /** Moment (epoch, milliseconds) before which the same search sends the provider nothing; present when that failed. */
  readonly retryAtMs?: number;
  /** Present when the provider would have to be searched, and the caller has searched as often as it may. */
  readonly refusal?: ChargeRefusal;
  /** It failed for callers without keys only: their part of the provider's budget is used up. */
  readonly isAnonymousSpent?: true;
}

/** One call of a provider's adapter; `takeRequest` is for an adapter that sends a second request. */
export type ProviderCall<T> = (signal: AbortSignal, takeRequest: TakeRequest) => Promise<T>;

/** What came of a call, with what it met. */
export type ProviderReply<T> = Pick<Met, 'requestsSent' | 'refusal' | 'retryAtMs' | 'isAnonymousSpent'> &
  (
    | { readonly outcome: 'answered'; readonly answer: T }
    /** The provider works, and refuses this very request. */
    | { readonly outcome: 'rejected' }
    /** `retryAtMs` is absent where no circuit is open and the budget is not used up. */
    | { readonly outcome: 'failed' }
  );

/**
 * @param requestsMax requests that the call may still send to the provider, attempts included
 * @throws when the caller's search cannot be charged or the circuit's state cannot be read; nothing was sent then
 */
export type SendRequest = <T>(
  search: ProviderSearch,
  requestsMax: number,
  call: ProviderCall<T>,
) => Promise<ProviderReply<T>>;

/** What requests are sent with. */
export interface SendRequestDeps {
  readonly circuit: Circuit;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** One request or a few, with retries: at most as many as `providerPausesMs` has pauses. */
export function createSendRequest({ circuit, budget, clock, telemetry }: SendRequestDeps): SendRequest {
  return async <T>(
    { provider, caller, deadlineMs }: ProviderSearch,
    requestsMax: number,
    call: ProviderCall<T>,
  ): Promise<ProviderReply<T>> => {
    if (requestsMax <= 0) return { outcome: 'failed', requestsSent: 0 };
    const overLimit = await caller.chargeSearch();
    if (overLimit) return { outcome: 'failed', requestsSent: 0, refusal: overLimit };
    const permission = await circuit.permit(provider.name);
    if (permission.state === 'open')
      return { outcome: 'failed', requestsSent: 0, retryAtMs: permission.untilMs };
    let requestsSent = 0;
    let refusal: ChargeRefusal | undefined;
    let retryAtMs: number | undefined;
    let isAnonymousSpent: true | undefined;
    let failure: ProviderFailure | undefined;

    const takeRequest = async (): Promise<boolean> => {
      if (requestsSent >= requestsMax) return false;
      const spent = await budget.take(provider, caller.share, caller.owner);
      if (!spent) {
        requestsSent += 1;
        return true;
      }
      telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
      const { of, status } = spent;
      if (of === 'account') refusal = { code: 'rate_limited', rateLimit: status, use: 'provider-share' };
      else {
        retryAtMs = status.window.endMs;
        if (of === 'anonymous') isAnonymousSpent = true;
      }
      return false;
    };
    /** @returns `undefined` when the budget is used up. @throws `ProviderFailure` */
    const attempt = async (): Promise<{ readonly answer: T } | undefined> => {
      if (!(await takeRequest())) return undefined;
      try {
        return { answer: await inTime(clock, deadlineMs, (signal) => call(signal, takeRequest)) };
      } catch (error) {
        failure = failureOf(error);
        telemetry.count('providerFailures', { provider: provider.name, kind: failure.kind });
        telemetry.error('A stock provider failed', failure, { provider: provider.name, kind: failure.kind });
        throw failure;
      }
    };
    const pauseMsAfter = (error: unknown, attempts: number) => {
      const pauseMs = providerPausesMs[attempts];
      const isWorthIt = (error as ProviderFailure).kind === 'unavailable' && requestsSent < requestsMax;
      return isWorthIt && pauseMs !== undefined && clock.nowMs() + pauseMs < deadlineMs ? pauseMs : undefined;
    };
    const attemptsMax = providerPausesMs.length;
    const answered = await retry(attempt, { attemptsMax, pauseMsAfter, clock }).catch(() => undefined);
    const met = {
      requestsSent,
      ...(refusal && { refusal }),
      ...(isAnonymousSpent && { isAnonymousSpent }),
    };
    if (answered || failure?.kind === 'rejected') {
      await circuit.succeeded(provider.name, permission);
      return answered ? { ...met, outcome: 'answered', ...answered } : { ...met, outcome: 'rejected' };
    }
    // What ended because the caller's own time was up says nothing about the provider, and nor does a lack of budget.
    const isBlamed = failure && !(failure.kind === 'unavailable' && clock.nowMs() >= deadlineMs);
    if (failure && isBlamed) await circuit.failed(provider.name, permission, failure);
    else await circuit.undecided(provider.name, permission);
    return { ...met, outcome: 'failed', ...(retryAtMs !== undefined && { retryAtMs }) };
  };
}

function inTime<T>(clock: Clock, deadlineMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline(clock, deadlineMs, (ended) =>
    withTimeout(clock, providerAttemptTimeoutMs, (late) => call(AbortSignal.any([ended, late]))),
  );
}

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter threw what is no ProviderFailure (${reason}).`);
}
