/** Asks a provider a question: within its budget, with a deadline, again when it did not answer, never while its circuit is open. */

import { DeadlineReached, withDeadline, withTimeout } from '../../async/deadline';
import { retry } from '../../async/retry';
import { requestsPerLookupMax } from '../../contract/providers';
import { providerAttemptTimeoutMs, providerPausesMs } from '../../contract/timeouts';
import type { ChargeRefusal } from '../../domain/problem/problem';
import type { Allowance } from '../../domain/quota/quota';
import type { UsageNote } from '../../domain/quota/usage';
import type { Clock } from '../../ports/clock';
import { ProviderFailure, type StockProvider, type TakeRequest } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';
import type { Meter } from '../metering/meter';
import type { Budget, BudgetUse } from './budget';
import type { Circuit } from './circuit';

type Asked<T> = {
  /** Whether the provider was really asked. */
  readonly asked: boolean;
} & (
  | { readonly outcome: 'answered'; readonly answer: T }
  /** The provider works, and refuses this very question. */
  | { readonly outcome: 'rejected' }
  | {
      readonly outcome: 'failed';
      /** Moment (epoch, milliseconds) before which it is not asked again; absent where no circuit is open. */
      readonly retryAtMs?: number;
    }
);

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
  /** Hears which image it will be, before that is stored. */
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

/** The requests that one lookup may still send to one provider, all its questions and attempts together. */
export interface Requests {
  left: number;
  /** On whose behalf they are sent. */
  readonly asker: Asker;
  /** Set when one was not sent because its caller has asked as often as it may. */
  refusal?: ChargeRefusal;
}

export function requestsOfLookup(asker: Asker): Requests {
  return { left: requestsPerLookupMax, asker };
}

export interface AskDeps {
  readonly circuit: Circuit;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export type Ask = <T>(
  provider: StockProvider,
  question: Question<T>,
  requests: Requests,
  deadlineMs: number,
) => Promise<Asked<T>>;

export function createAsk({ circuit, budget, clock, telemetry }: AskDeps): Ask {
  return async <T>(
    provider: StockProvider,
    question: Question<T>,
    requests: Requests,
    deadlineMs: number,
  ): Promise<Asked<T>> => {
    if (requests.left === 0) return { outcome: 'failed', asked: false };
    const notAdmitted = await requests.asker.admit();
    if (notAdmitted) {
      requests.refusal = notAdmitted;
      return { outcome: 'failed', asked: false };
    }
    const permission = await circuit.permit(provider.name);
    if (permission.state === 'open')
      return { outcome: 'failed', asked: false, retryAtMs: permission.untilMs };
    let failure: ProviderFailure | undefined;

    const takeRequest = async (): Promise<boolean> => {
      if (requests.left === 0) return false;
      const { use } = requests.asker;
      const spent = await budget.take(provider, use);
      if (!spent) requests.left -= 1;
      else telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
      // What is left is kept for callers with keys.
      if (spent && use === 'anonymous')
        requests.refusal = { code: 'rate_limited', rateLimit: spent, use: 'searches' };
      return !spent;
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
      const isWorthIt = (error as ProviderFailure).kind === 'unavailable' && requests.left > 0;
      return isWorthIt && pauseMs !== undefined && clock.nowMs() + pauseMs < deadlineMs ? pauseMs : undefined;
    };
    const attemptsMax = providerPausesMs.length;
    const answered = await retry(attempt, { attemptsMax, pauseMsAfter, clock }).catch(() => undefined);
    if (answered) {
      await circuit.succeeded(provider.name, permission);
      return { outcome: 'answered', asked: true, ...answered };
    }
    if (failure?.kind === 'rejected') {
      await circuit.succeeded(provider.name, permission);
      return { outcome: 'rejected', asked: true };
    }
    // What ended because the caller's own time was up says nothing about the provider, and nor does a lack of budget.
    const isBlamed = failure && !(failure.kind === 'unavailable' && clock.nowMs() >= deadlineMs);
    if (failure && isBlamed) await circuit.failed(provider.name, permission, failure);
    else await circuit.undecided(provider.name, permission);
    return { outcome: 'failed', asked: failure !== undefined };
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
  return new ProviderFailure('malformed', `The adapter broke its promise (${reason}).`);
}
