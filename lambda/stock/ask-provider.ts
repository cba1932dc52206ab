/** Sends requests to a provider: within its budget and the time of the request, again when it did not answer, never while its breaker is open. */

import type { Clock } from '../base/clock';
import { DeadlineReached, withTimeout } from '../base/deadline';
import { dayWindow, hourWindow, minuteWindow } from '../base/window';
import { providerAttemptTimeoutMs, providerPauseMs } from '../contract/timeouts';
import type { Limit } from '../quota/limit';
import { type LimitServices, take } from '../quota/take';
import { ProviderFailure, type StockProvider, type TakeRequest } from './stock-provider';

/**
 * For whom a request is sent: an account, any caller without a key, or `upkeep`: the reports of uses, what pages show
 * already.
 */
export type Asker = { readonly account: string } | 'anonymous' | 'upkeep';

/** What came of asking a provider; `requests` were sent to it, attempts included. */
export type Reply<T> = { readonly requests: number } & (
  | { readonly outcome: 'answered'; readonly answer: T }
  /** The provider works, and refuses this very request. */
  | { readonly outcome: 'rejected' }
  /** `retryMs`: moment (epoch, milliseconds) before which it is not asked again; absent where that is not known. */
  | { readonly outcome: 'failed'; readonly retryMs?: number }
);

/** What asking a provider needs of `Services`. */
export interface AskServices extends LimitServices {
  readonly memory: { readonly breakers: Map<string, Breaker> };
}

/** Sends one request; `takeRequest` takes another one from the budget, for a search that needs it. */
export type ProviderCall<T> = (signal: AbortSignal, takeRequest: TakeRequest) => Promise<T>;

const attemptsMax = 2;

/**
 * Makes a call, and once more when the provider did not answer.
 * @param requestsMax requests that may be sent, attempts included
 * @param id of the request
 * @throws when the table of budgets refuses a call as such
 */
export async function askProvider<T>(
  services: AskServices,
  provider: StockProvider,
  { asker, requestsMax, id }: { readonly asker: Asker; readonly requestsMax: number; readonly id: string },
  call: ProviderCall<T>,
): Promise<Reply<T>> {
  const { clock, telemetry, deadline, memory } = services;
  const { name } = provider;
  const openUntilMs = breakerOpenUntilMs(memory.breakers, name, clock.nowMs());
  if (openUntilMs !== undefined) return { outcome: 'failed', requests: 0, retryMs: openUntilMs };
  let requests = 0;
  let retryMs: number | undefined;
  const takeRequest = async (): Promise<boolean> => {
    if (requests >= requestsMax) return false;
    retryMs = await takeFromBudget(services, provider, asker, id);
    if (retryMs === undefined) requests += 1;
    else telemetry.count('providerFailures', { provider: name, kind: 'budget' });
    return retryMs === undefined;
  };
  for (let attempt = 1; ; attempt++) {
    if (!(await takeRequest())) break;
    try {
      const answer = await inTime(clock, deadline.endsMs, (signal) => call(signal, takeRequest));
      memory.breakers.delete(name);
      return { outcome: 'answered', requests, answer };
    } catch (error) {
      const failure = failureOf(error);
      telemetry.count('providerFailures', { provider: name, kind: failure.kind });
      telemetry.error('A stock provider failed', failure, { provider: name, kind: failure.kind });
      if (failure.kind === 'rejected') {
        memory.breakers.delete(name);
        return { outcome: 'rejected', requests };
      }
      const leftMs = deadline.endsMs - clock.nowMs();
      // What ended because the time of the request was up says nothing about the provider.
      if (failure.kind === 'unavailable' && leftMs <= 0) break;
      const isLast = attempt === attemptsMax || requests >= requestsMax || leftMs <= providerPauseMs;
      if (failure.kind !== 'unavailable' || isLast) {
        noteFailure(memory.breakers, name, failure, clock.nowMs());
        break;
      }
      await clock.sleep(providerPauseMs);
    }
  }
  return { outcome: 'failed', requests, ...(retryMs !== undefined && { retryMs }) };
}

/** One in how many requests of a budget is kept for upkeep. */
const upkeepShare = 10;

/**
 * The limits that a request to a provider is counted in, one item for each window of the UTC clock. Of what is left beside
 * upkeep, half is kept for callers with keys, and no account takes more than a quarter of the longest window.
 * @param asker `all` for what the searches of all callers are counted in
 */
export async function budgetOf(
  { name, quota }: Pick<StockProvider, 'name' | 'quota'>,
  asker: Asker | 'all',
  nowMs: number,
): Promise<readonly Limit[]> {
  const { perDay, perHour, perMinute } = await quota();
  const limits = [
    { window: dayWindow(nowMs), max: perDay },
    { window: hourWindow(nowMs), max: perHour },
    { window: minuteWindow(nowMs), max: perMinute },
  ].flatMap(({ window, max }) => (max === undefined ? [] : [{ window, max }]));
  const of = (owner: string, some: typeof limits, maxOf: (max: number) => number): readonly Limit[] =>
    some.map(({ window, max }) => ({
      kind: 'provider',
      owner,
      max: maxOf(max),
      window,
      counts: `requests to ${name}`,
    }));
  const upkeepOf = (max: number) => Math.floor(max / upkeepShare);
  const searchesOf = (max: number) => max - upkeepOf(max);
  const shareOf = (parts: number) => (max: number) => Math.max(1, Math.floor(searchesOf(max) / parts));
  // A budget that is too small to be shared has no part for upkeep.
  if (asker === 'upkeep') return of(`${name}#upkeep`, limits, (max) => Math.max(1, upkeepOf(max)));
  const all = of(name, limits, searchesOf);
  if (asker === 'all') return all;
  const share =
    asker === 'anonymous'
      ? of(`${name}#anonymous`, limits, shareOf(2))
      : of(`${name}#account#${asker.account}`, limits.slice(0, 1), shareOf(4));
  return [...share, ...all];
}

/**
 * Takes one request from a provider's budget.
 * @returns the moment (epoch, milliseconds) at which the window that is used up ends; `undefined` when it was taken
 * @throws when the table refuses the call as such
 */
export async function takeFromBudget(
  services: LimitServices,
  provider: StockProvider,
  asker: Asker | 'all',
  id: string,
): Promise<number | undefined> {
  const nowMs = services.clock.nowMs();
  const taken = await take(services, await budgetOf(provider, asker, nowMs), id);
  // One request too many, where an answer was lost, does less harm than no image.
  if (taken.outcome !== 'refused') return undefined;
  return taken.by?.window.endMs ?? nowMs + throttledForMs;
}

/** How long a table that throttles is left alone, in milliseconds. */
const throttledForMs = 1_000;

/** What an instance has seen of a provider that fails. */
export interface Breaker {
  /** In a row. */
  readonly failures: number;
  /** Times that it opened since the provider answered. */
  readonly openings: number;
  /** Moment (epoch, milliseconds) from which the next request may see whether the provider answers again; 0 while closed. */
  readonly openUntilMs: number;
}

/** Failures in a row that open it, and for how long at first and at most, in milliseconds: twice as long after each probe that fails. */
const breakerOf = {
  throttled: { failures: 1, firstMs: 60_000, longestMs: 3_600_000 },
  unauthorized: { failures: 1, firstMs: 300_000, longestMs: 300_000 },
  unavailable: { failures: 3, firstMs: 30_000, longestMs: 300_000 },
  malformed: { failures: 3, firstMs: 30_000, longestMs: 300_000 },
} as const;
/** How long one request probes alone, in milliseconds: all of its attempts. */
const probeForMs = 8_000;

/** Until when it is open; `undefined` where a request may be sent, which is the only one while it probes. */
function breakerOpenUntilMs(
  breakers: Map<string, Breaker>,
  provider: string,
  nowMs: number,
): number | undefined {
  const breaker = breakers.get(provider);
  if (!breaker || breaker.openUntilMs === 0) return undefined;
  if (breaker.openUntilMs > nowMs) return breaker.openUntilMs;
  breakers.set(provider, { ...breaker, openUntilMs: nowMs + probeForMs });
  return undefined;
}

function noteFailure(
  breakers: Map<string, Breaker>,
  provider: string,
  { kind, retryAfterMs }: ProviderFailure,
  nowMs: number,
): void {
  if (kind === 'rejected') return;
  const limits = breakerOf[kind];
  const { failures, openings } = breakers.get(provider) ?? { failures: 0, openings: 0 };
  const opens = openings > 0 || failures + 1 >= limits.failures;
  const openMs = Math.min(Math.max(retryAfterMs ?? limits.firstMs * 2 ** openings, 1_000), limits.longestMs);
  breakers.set(provider, {
    failures: failures + 1,
    openings: opens ? openings + 1 : 0,
    openUntilMs: opens ? nowMs + openMs : 0,
  });
}

function inTime<T>(clock: Clock, endsMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withTimeout(clock, Math.min(providerAttemptTimeoutMs, Math.max(0, endsMs - clock.nowMs())), call);
}

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter threw what is no ProviderFailure (${reason}).`);
}
