/** Sends requests to a provider within its budget and the deadline, and none while its breaker is open. */

import { DeadlineReached, withTimeout } from '../base/deadline';
import { dayWindow, hourWindow, minuteWindow } from '../base/window';
import { providerAttemptTimeoutMs, providerPauseMs } from '../contract/timeouts';
import type { Limit } from '../quota/limit';
import { type LimitServices, take } from '../quota/take';
import { ProviderFailure, type StockProvider, type TakeRequest } from './stock-provider';

/** The beneficiary of a request; `upkeep` reports uses, and renews images that pages show already. */
export type Asker = { readonly account: string } | 'anonymous' | 'upkeep';

/** The reply of a provider, with the number of requests that were sent, attempts included. */
export type ProviderReply<T> = { readonly requests: number } & (
  | { readonly outcome: 'answered'; readonly content: T }
  /** The provider answers, and refuses this very request. */
  | { readonly outcome: 'rejected' }
  /** `retryMs`: moment (epoch, milliseconds) before which it is not asked again, where that is known. */
  | { readonly outcome: 'failed'; readonly retryMs?: number | undefined }
);

/** Limits, and the failures of providers by their names. */
export interface AskServices extends LimitServices {
  readonly stockMemory: { readonly breakers: Map<string, Breaker> };
}

/** Who asks, for the request of an `id`, and how many requests may be sent, attempts included. */
interface Asking {
  readonly asker: Asker;
  readonly requestsMax: number;
  readonly id: string;
}

/** The requests that are sent for one question: each is taken from the budget of its provider. */
class SentRequests {
  count = 0;
  /** Moment (epoch, milliseconds) until which the budget is used up; absent while it is not. */
  retryMs: number | undefined;

  constructor(
    private readonly services: AskServices,
    private readonly provider: StockProvider,
    private readonly asking: Asking,
  ) {}

  /** Takes one more request; false where as many are sent as may be, or the budget is used up. */
  async take(): Promise<boolean> {
    const { services, provider, asking } = this;
    if (this.count >= asking.requestsMax) return false;
    this.retryMs = await takeFromBudget(services, provider, asking.asker, asking.id);
    if (this.retryMs === undefined) this.count += 1;
    else services.telemetry.count('providerFailures', { provider: provider.name, kind: 'budget' });
    return this.retryMs === undefined;
  }
}

const attemptsMax = 2;

/**
 * Sends a request to a provider, and once more when it does not answer.
 * @param call sends one request; it calls `takeRequest` before each further one
 * @throws when the table of budgets refuses a call as such
 */
export async function askProvider<T>(
  services: AskServices,
  provider: StockProvider,
  asking: Asking,
  call: (signal: AbortSignal, takeRequest: TakeRequest) => Promise<T>,
): Promise<ProviderReply<T>> {
  const { clock, deadline, stockMemory } = services;
  const { name } = provider;
  const openUntilMs = beginProbeOrOpenUntilMs(services, name);
  if (openUntilMs !== undefined) return { outcome: 'failed', requests: 0, retryMs: openUntilMs };
  const sentRequests = new SentRequests(services, provider, asking);
  for (let attempt = 1; await sentRequests.take(); attempt++) {
    const result = await attemptCall(services, name, (signal) => call(signal, () => sentRequests.take()));
    const requests = sentRequests.count;
    if ('content' in result || result.failure.kind === 'rejected') stockMemory.breakers.delete(name);
    if ('content' in result) return { outcome: 'answered', requests, content: result.content };
    const { kind, retryAfterMs } = result.failure;
    if (kind === 'rejected') return { outcome: 'rejected', requests };
    const leftMs = deadline.endsMs - clock.nowMs();
    // The deadline of the request has ended the call, which says nothing about the provider.
    if (kind === 'unavailable' && leftMs <= 0) break;
    const isLast = attempt === attemptsMax || requests >= asking.requestsMax || leftMs <= providerPauseMs;
    if (kind !== 'unavailable' || isLast) {
      countFailure(services, name, kind, retryAfterMs);
      break;
    }
    await clock.sleep(providerPauseMs);
  }
  return { outcome: 'failed', requests: sentRequests.count, retryMs: sentRequests.retryMs };
}

/** Calls a provider until the deadline of the request, or of one attempt. */
async function attemptCall<T>(
  { clock, telemetry, deadline }: AskServices,
  provider: string,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly content: T } | { readonly failure: ProviderFailure }> {
  const leftMs = Math.max(0, deadline.endsMs - clock.nowMs());
  try {
    return { content: await withTimeout(clock, Math.min(providerAttemptTimeoutMs, leftMs), call) };
  } catch (error) {
    const failure = failureAfter(error);
    const labels = { provider, kind: failure.kind };
    telemetry.count('providerFailures', labels);
    telemetry.error('A stock provider failed', failure, labels);
    return { failure };
  }
}

function failureAfter(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DeadlineReached) return new ProviderFailure('unavailable', 'No answer in time.');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
  return new ProviderFailure('malformed', `The adapter threw what is no ProviderFailure (${reason}).`);
}

/** A tenth of each budget is kept for upkeep. */
const upkeepShare = 10;
/** Time after which a caller may try again while the table of budgets throttles, in milliseconds. */
const throttledRetryMs = 1_000;

/**
 * The limits of a request to a provider, in each window of its quota. A tenth is kept for upkeep. Of the
 * rest, callers without keys take half at most, and an account takes a quarter of the longest window.
 * @param asker `all`: only the limits that the searches of all callers share
 */
export async function readBudgetLimits(
  { name, quota }: Pick<StockProvider, 'name' | 'quota'>,
  asker: Asker | 'all',
  nowMs: number,
): Promise<readonly Limit[]> {
  const { perDay, perHour, perMinute } = await quota();
  const windows = [
    { window: dayWindow(nowMs), max: perDay },
    { window: hourWindow(nowMs), max: perHour },
    { window: minuteWindow(nowMs), max: perMinute },
  ].flatMap(({ window, max }) => (max === undefined ? [] : [{ window, max }]));
  const limits = (owner: string, counted: typeof windows, maxOf: (max: number, upkeep: number) => number) =>
    counted.map(({ window, max }): Limit => {
      const allowed = Math.max(1, Math.floor(maxOf(max, Math.floor(max / upkeepShare))));
      return { kind: 'provider', owner, max: allowed, window, counts: `requests to ${name}` };
    });
  // A budget below ten requests has no part for upkeep: the other callers share all of it.
  if (asker === 'upkeep') return limits(`${name}#upkeep`, windows, (_, upkeep) => upkeep);
  const sharedLimits = limits(name, windows, (max, upkeep) => max - upkeep);
  if (asker === 'all') return sharedLimits;
  const askerLimits =
    asker === 'anonymous'
      ? limits(`${name}#anonymous`, windows, (max, upkeep) => (max - upkeep) / 2)
      : limits(`${name}#account#${asker.account}`, windows.slice(0, 1), (max, upkeep) => (max - upkeep) / 4);
  return [...askerLimits, ...sharedLimits];
}

/**
 * Takes one request from a provider's budget.
 * @returns `undefined`, or when the window that is used up ends (epoch, milliseconds)
 * @throws when the table refuses the call as such
 */
export async function takeFromBudget(
  services: LimitServices,
  provider: StockProvider,
  asker: Asker | 'all',
  id: string,
): Promise<number | undefined> {
  const nowMs = services.clock.nowMs();
  const takeResult = await take(services, await readBudgetLimits(provider, asker, nowMs), id);
  // After a lost answer the request is sent: one too many does less harm than no image.
  if (takeResult.outcome !== 'refused') return undefined;
  return takeResult.limit?.window.endsMs ?? nowMs + throttledRetryMs;
}

/** The failures of a provider that an instance has seen. */
export interface Breaker {
  /** In a row. */
  readonly failures: number;
  /** Moment (epoch, milliseconds) from which one request probes the provider; 0 while it is closed. */
  readonly openUntilMs: number;
}

/** Failures that open a breaker, and how long it is open, in milliseconds: doubled by each failed probe. */
const afterThreeFailures = { failures: 3, firstMs: 30_000, longestMs: 300_000 };
const breakerRules = {
  throttled: { failures: 1, firstMs: 60_000, longestMs: 3_600_000 },
  unauthorized: { failures: 1, firstMs: 300_000, longestMs: 300_000 },
  unavailable: afterThreeFailures,
  malformed: afterThreeFailures,
} as const;
/** Time of a probe, in milliseconds, in which no other request is sent: enough for all of its attempts. */
const probeMs = 8_000;

/** Admits a request, after an outage as a probe; or returns until when the breaker is open (epoch, ms). */
function beginProbeOrOpenUntilMs({ stockMemory, clock }: AskServices, provider: string): number | undefined {
  const breaker = stockMemory.breakers.get(provider);
  if (!breaker || breaker.openUntilMs === 0) return undefined;
  if (breaker.openUntilMs > clock.nowMs()) return breaker.openUntilMs;
  stockMemory.breakers.set(provider, { ...breaker, openUntilMs: clock.nowMs() + probeMs });
  return undefined;
}

function countFailure(
  { stockMemory, clock }: AskServices,
  provider: string,
  kind: keyof typeof breakerRules,
  retryAfterMs: number | undefined,
): void {
  const { failures: failuresMax, firstMs, longestMs } = breakerRules[kind];
  const breaker = stockMemory.breakers.get(provider);
  const failures = (breaker?.failures ?? 0) + 1;
  const isOpened = failures >= failuresMax || (breaker?.openUntilMs ?? 0) > 0;
  const pauseMs = retryAfterMs ?? firstMs * 2 ** Math.max(0, failures - failuresMax);
  const openMs = Math.min(Math.max(pauseMs, 1_000), longestMs);
  stockMemory.breakers.set(provider, { failures, openUntilMs: isOpened ? clock.nowMs() + openMs : 0 });
}
