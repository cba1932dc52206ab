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

/** A request that passed. While the breaker is open, only its probe changes it: other requests were sent before. */
interface BreakerPass {
  readonly outcome: 'passed';
  /** Lets the next request probe, because this one is not sent. */
  giveBackProbe(): void;
  /** Closes the breaker, because the provider has answered. */
  close(): void;
  /** Counts a failure. The breaker opens after too many failures of a kind in a row, or after a failed probe. */
  countFailure(kind: keyof typeof breakerRules, retryAfterMs: number | undefined): void;
}

/**
 * Lets a request pass unless the breaker is open. After the pause, one request probes the provider, and the
 * others are held back until that request ends.
 */
export function passBreaker(
  { stockMemory: { breakers }, clock }: BreakerServices,
  provider: string,
): BreakerPass | { readonly outcome: 'held-back'; readonly openUntilMs: number } {
  const breaker = breakers.get(provider);
  const { openUntilMs = 0 } = breaker ?? {};
  const nowMs = clock.nowMs();
  if (openUntilMs > nowMs) return { outcome: 'held-back', openUntilMs };
  const probedBreaker =
    breaker && openUntilMs > 0 ? { ...breaker, openUntilMs: nowMs + providerProbeMs } : undefined;
  if (probedBreaker) breakers.set(provider, probedBreaker);
  const mayChange = () => probedBreaker !== undefined || !breakers.get(provider)?.openUntilMs;
  return {
    outcome: 'passed',
    giveBackProbe() {
      if (breaker && probedBreaker && breakers.get(provider) === probedBreaker)
        breakers.set(provider, breaker);
    },
    close() {
      if (mayChange()) breakers.delete(provider);
    },
    countFailure(kind, retryAfterMs) {
      if (!mayChange()) return;
      const rule = breakerRules[kind];
      const { failures: failuresMax, firstMs, longestMs } = rule;
      const last = breakers.get(provider);
      const failures = last?.rule === rule ? last.failures + 1 : 1;
      const isOpened = failures >= failuresMax || probedBreaker !== undefined;
      const pauseMs = retryAfterMs ?? firstMs * 2 ** Math.max(0, failures - failuresMax);
      const openMs = Math.min(Math.max(pauseMs, pauseMsMin), longestMs);
      breakers.set(provider, { failures, rule, openUntilMs: isOpened ? clock.nowMs() + openMs : 0 });
    },
  };
}

/** Finds the moment until which the breaker is open; `undefined` if it is closed. */
export function findOpenUntilMs({ stockMemory }: BreakerServices, provider: string): number | undefined {
  return stockMemory.breakers.get(provider)?.openUntilMs || undefined;
}
