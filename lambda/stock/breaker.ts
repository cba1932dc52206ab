/** Keeps an instance from a failing provider for a time, and then lets one request probe it. */

import type { Clock } from '../base/clock';
import { providerProbeMs } from '../contract/timeouts';

/** The failures of a provider that an instance has seen. */
export interface Breaker {
  /** Failures without an answer between them. */
  readonly failures: number;
  /** Moment (epoch, milliseconds) from which one request probes the provider; 0 while it is closed. */
  readonly openUntilMs: number;
}

export interface BreakerServices {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly stockMemory: { readonly breakers: Map<string, Breaker> };
}

/** Failures that open a breaker, and how long it is open, in milliseconds: doubled by each failed probe. */
const afterThreeFailures = { failures: 3, firstMs: 30_000, longestMs: 300_000 };
const breakerRules = {
  throttled: { failures: 1, firstMs: 60_000, longestMs: 3_600_000 },
  unauthorized: { failures: 1, firstMs: 300_000, longestMs: 300_000 },
  unavailable: afterThreeFailures,
  malformed: afterThreeFailures,
} as const;
const shortestMs = 1_000;

/**
 * Lets a request be sent, unless the breaker is open. The first request after an outage probes the provider,
 * and others are held back until it ends.
 * @returns `undefined`, or until when no request is sent (epoch, milliseconds)
 */
export function passBreaker({ stockMemory, clock }: BreakerServices, provider: string): number | undefined {
  const breaker = stockMemory.breakers.get(provider);
  if (!breaker || breaker.openUntilMs === 0) return undefined;
  const nowMs = clock.nowMs();
  if (breaker.openUntilMs > nowMs) return breaker.openUntilMs;
  stockMemory.breakers.set(provider, { ...breaker, openUntilMs: nowMs + providerProbeMs });
  return undefined;
}

/** Closes the breaker of a provider that has answered. */
export function closeBreaker({ stockMemory }: BreakerServices, provider: string): void {
  stockMemory.breakers.delete(provider);
}

/**
 * Counts a failure, and opens the breaker after too many of them or after a failed probe.
 * @param retryAfterMs the time that the provider asks to wait
 */
export function countFailure(
  { stockMemory, clock }: BreakerServices,
  provider: string,
  kind: keyof typeof breakerRules,
  retryAfterMs: number | undefined,
): void {
  const { failures: failuresMax, firstMs, longestMs } = breakerRules[kind];
  const breaker = stockMemory.breakers.get(provider);
  const failures = (breaker?.failures ?? 0) + 1;
  const isOpened = failures >= failuresMax || (breaker?.openUntilMs ?? 0) > 0;
  const pauseMs = retryAfterMs ?? firstMs * 2 ** Math.max(0, failures - failuresMax);
  const openMs = Math.min(Math.max(pauseMs, shortestMs), longestMs);
  stockMemory.breakers.set(provider, { failures, openUntilMs: isOpened ? clock.nowMs() + openMs : 0 });
}
