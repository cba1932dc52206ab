/** Asks a provider a question: within its budget, with a deadline, again when it did not answer, never while its circuit is open. */

import type { Clock } from '../base/clock';
import { DeadlineReached, withDeadline, withTimeout } from '../base/deadline';
import { retry } from '../base/retry';
import type { Telemetry } from '../base/telemetry';
import { requestsPerLookupMax } from '../contract/providers';
import { providerAttemptTimeoutMs, providerPausesMs } from '../contract/timeouts';
import type { ChargeRefusal } from '../problems/problem';
import type { Meter } from '../quota/meter';
import type { Allowance } from '../quota/quota';
import type { UsageNote } from '../quota/usage/usage';
import type { StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import type { Budget, BudgetUse } from './budget';
import type { Circuit } from './circuit';
import { ProviderFailure, type StockProvider, type TakeRequest } from './stock-provider';

type Asked<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** The provider works, and refuses this very question. */
  | { readonly outcome: 'rejected' }
  | {
      readonly outcome: 'failed';
      /** Moment (epoch, milliseconds) before which it is not asked again; absent where no circuit is open. */
      readonly retryAtMs?: number;
    };

/** One question; `takeRequest` is for an adapter that has to ask twice. */
export type Question<T> = (signal: AbortSignal, takeRequest: TakeRequest) => Promise<T>;

/** On whose behalf a provider is asked, and whether it may be: each request that reaches one is counted, once. */
export interface Asker {
  readonly use: BudgetUse;
  /**
   * Counts the request among its caller's searches, at the first call only.
   * @returns the refusal when the hour's are used up
   * @throws when the counter cannot be reached
   */
  admit(): Promise<ChargeRefusal | undefined>;
  /** Notes which image it will be, before that is stored. */
  readonly usage?: UsageNote;
}

export function createAsker(
  meter: Pick<Meter, 'charge'>,
  searches: Allowance,
  requestId: string,
  usage?: UsageNote,
): Asker {
  let admission: Promise<ChargeRefusal | undefined> | undefined;
  const count = async () => {
    const charge = await meter.charge(searches, requestId);
    return charge.outcome === 'refused' ? charge.refusal : undefined;
  };
  const { counter } = searches;
  const isAnonymous = counter.kind === 'fair-use' && counter.owner.startsWith('ip#');
  return {
    ...(usage && { usage }),
    use: isAnonymous ? 'anonymous' : 'keyed',
    admit: () => {
      admission ??= count();
      return admission;
    },
  };
}

/** One lookup at one provider: what it is for, and what its steps have met, which `find-image` reads at the end. */
export interface Lookup {
  readonly provider: StockProvider;
  readonly request: StockRequest;
  readonly format: RenditionFormat;
  /** Moment (epoch, milliseconds) by which there is an answer. */
  readonly deadlineMs: number;
  readonly asker: Asker;
  /** Requests that reached the provider, `requestsPerLookupMax` at most, all questions and attempts together. */
  requestsSent: number;
  /** The provider or the renderer failed, so another attempt might find an image. */
  failed: boolean;
  /** Moment (epoch, milliseconds) before which the same lookup does not ask the provider; set when that has failed. */
  retryAtMs: number | undefined;
  /** Set when the provider would have to be asked, and the caller has asked as often as it may. */
  refusal: ChargeRefusal | undefined;
  /** Writes to the cache that are under way; none of them rejects. */
  readonly writes: Promise<unknown>[];
}

export function createLookup(
  provider: StockProvider,
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  asker: Asker,
): Lookup {
  const met = { requestsSent: 0, failed: false, retryAtMs: undefined, refusal: undefined, writes: [] };
  return { provider, request, format, deadlineMs, asker, ...met };
}

export interface AskDeps {
  readonly circuit: Circuit;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export type Ask = <T>(lookup: Lookup, question: Question<T>) => Promise<Asked<T>>;

export function createAsk({ circuit, budget, clock, telemetry }: AskDeps): Ask {
  return async <T>(lookup: Lookup, question: Question<T>): Promise<Asked<T>> => {
    const { provider, asker, deadlineMs } = lookup;
    const hasRequestsLeft = () => lookup.requestsSent < requestsPerLookupMax;
    if (!hasRequestsLeft()) return { outcome: 'failed' };
    const refusal = await asker.admit();
    if (refusal) {
      lookup.refusal = refusal;
      return { outcome: 'failed' };
    }
    const permission = await circuit.permit(provider.name);
    if (permission.state === 'open') return { outcome: 'failed', retryAtMs: permission.untilMs };
    let failure: ProviderFailure | undefined;

    const takeRequest = async (): Promise<boolean> => {
      if (!hasRequestsLeft()) return false;
      const spent = await budget.take(provider, asker.use);
      if (!spent) {
        lookup.requestsSent += 1;
        return true;
      }
      telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
      // What is left is kept for callers with keys.
      if (asker.use === 'anonymous')
        lookup.refusal = { code: 'rate_limited', rateLimit: spent, use: 'searches' };
      return false;
    };
    /** @returns `undefined` when the budget is used up. @throws `ProviderFailure` */
    const attempt = async (): Promise<{ readonly answer: T } | undefined> => {
      if (!(await takeRequest())) return undefined;
      try {
        return { answer: await inTime(clock, deadlineMs, (signal) => question(signal, takeRequest)) };
      } catch (error) {
        failure = failureOf(error);
        telemetry.count('providerFailures', { provider: provider.name, kind: failure.kind });
        telemetry.error('A stock provider failed', failure, { provider: provider.name, kind: failure.kind });
        throw failure;
      }
    };
    const pauseMsAfter = (error: unknown, attempts: number) => {
      const pauseMs = providerPausesMs[attempts];
      const isWorthIt = (error as ProviderFailure).kind === 'unavailable' && hasRequestsLeft();
      return isWorthIt && pauseMs !== undefined && clock.nowMs() + pauseMs < deadlineMs ? pauseMs : undefined;
    };
    const attemptsMax = providerPausesMs.length;
    const answered = await retry(attempt, { attemptsMax, pauseMsAfter, clock }).catch(() => undefined);
    if (answered) {
      await circuit.succeeded(provider.name, permission);
      return { outcome: 'answered', ...answered };
    }
    if (failure?.kind === 'rejected') {
      await circuit.succeeded(provider.name, permission);
      return { outcome: 'rejected' };
    }
    // What ended because the caller's own time was up says nothing about the provider, and nor does a lack of budget.
    const isBlamed = failure && !(failure.kind === 'unavailable' && clock.nowMs() >= deadlineMs);
    if (failure && isBlamed) await circuit.failed(provider.name, permission, failure);
    else await circuit.undecided(provider.name, permission);
    return { outcome: 'failed' };
  };
}

function inTime<T>(clock: Clock, deadlineMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline(clock, deadlineMs, (ended) =>
    withTimeout(clock, providerAttemptTimeoutMs, (late) => ask(AbortSignal.any([ended, late]))),
  );
}

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter threw what is no ProviderFailure (${reason}).`);
}
