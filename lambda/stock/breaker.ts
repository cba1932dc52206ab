/** The breaker of a provider. After failures it holds back the requests of an instance for a time. */

import type { Clock } from '../base/clock';
import { providerProbeMs } from '../contract/timeouts';

export interface Breaker {
  /** Number of failures in a row that the same rule counts. */
  readonly failures: number;
  readonly rule: BreakerRule;
  /** Moment of the next probe, or 0 while the breaker is closed. */
  readonly openUntilMs: number;
}

export interface BreakerServices {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly stockMemory: { readonly breakers: Map<string, Breaker> };
}

/** Failures that open a breaker, and its pause in milliseconds. Each failed probe doubles the pause. */
const ruleOfThreeFailures = { failures: 3, firstMs: 30_000, longestMs: 300_000 };
const breakerRules = {
  throttled: { failures: 1, firstMs: 60_000, longestMs: 3_600_000 },
  unauthorized: { failures: 1, firstMs: 300_000, longestMs: 300_000 },
  unavailable: ruleOfThreeFailures,
  malformed: ruleOfThreeFailures,
} as const;
type BreakerRule = (typeof breakerRules)[keyof typeof breakerRules];
const pauseMsMin = 1_000;

export type BreakerPass =
  | { readonly outcome: 'held-back'; readonly openUntilMs: number }
  /** A request that passes and is not sent must call `giveBackProbe`, so that the next request may probe. */
  | { readonly outcome: 'passed'; readonly isProbe: boolean; readonly giveBackProbe: () => void };

/**
 * Lets a request pass unless the breaker is open. After the pause, one request probes the provider, and the
 * others are held back until that request ends.
 */
export function passBreaker({ stockMemory, clock }: BreakerServices, provider: string): BreakerPass {
  const { breakers } = stockMemory;
  const breaker = breakers.get(provider);
  if (!breaker || breaker.openUntilMs === 0)
    return { outcome: 'passed', isProbe: false, giveBackProbe: () => undefined };
  const nowMs = clock.nowMs();
  if (breaker.openUntilMs > nowMs) return { outcome: 'held-back', openUntilMs: breaker.openUntilMs };
  const probedBreaker = { ...breaker, openUntilMs: nowMs + providerProbeMs };
  breakers.set(provider, probedBreaker);
  const giveBackProbe = () => {
    if (breakers.get(provider) === probedBreaker) breakers.set(provider, breaker);
  };
  return { outcome: 'passed', isProbe: true, giveBackProbe };
}

/** Finds the moment until which the breaker is open; `undefined` if it is closed. */
export function findOpenUntilMs({ stockMemory }: BreakerServices, provider: string): number | undefined {
  return stockMemory.breakers.get(provider)?.openUntilMs || undefined;
}

/** Closes the breaker of a provider that has answered. An open one is closed by the answer to a probe only. */
export function closeBreaker(services: BreakerServices, provider: string, isProbe: boolean): void {
  if (isProbe || findOpenUntilMs(services, provider) === undefined)
    services.stockMemory.breakers.delete(provider);
}

/**
 * Counts a failure. The breaker opens after too many failures of a kind in a row, or after a failed probe. While
 * it is open, only the probe counts: other requests were sent before, as the images of a batch at once are.
 */
export function countFailure(
  { stockMemory, clock }: BreakerServices,
  provider: string,
  {
    kind,
    retryAfterMs,
  }: { readonly kind: keyof typeof breakerRules; readonly retryAfterMs?: number | undefined },
  isProbe: boolean,
): void {
  const rule = breakerRules[kind];
  const { failures: failuresMax, firstMs, longestMs } = rule;
  const breaker = stockMemory.breakers.get(provider);
  if (!isProbe && breaker && breaker.openUntilMs > 0) return;
  const failures = breaker?.rule === rule ? breaker.failures + 1 : 1;
  const isOpened = failures >= failuresMax || isProbe;
  const pauseMs = retryAfterMs ?? firstMs * 2 ** Math.max(0, failures - failuresMax);
  const openMs = Math.min(Math.max(pauseMs, pauseMsMin), longestMs);
  stockMemory.breakers.set(provider, { failures, rule, openUntilMs: isOpened ? clock.nowMs() + openMs : 0 });
}
