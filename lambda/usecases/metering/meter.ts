/** Charges a request before it is worked on, and gives the charge back when no image came of it. */

import { unlimitedRequests } from '../../contract/plans';
import { createExpiringCache } from '../../domain/expiring-cache';
import { type LimitRefusal, type ThrottleRefusal, throttleRefusal } from '../../domain/problem/problem';
import {
  type Allowance,
  counterKey,
  type RateLimitStatus,
  rateLimitStatusOf,
} from '../../domain/quota/quota';
import type { Clock } from '../../ports/clock';
import type { QuotaCounters } from '../../ports/quota-counters';
import type { Telemetry } from '../../ports/telemetry';

/** Longest time a refusal is repeated without asking the counter, in milliseconds. */
const refusalRememberedMs = 60_000;
const refusalsRememberedMax = 10_000;

export type Charge =
  | { readonly outcome: 'charged'; readonly rateLimit: RateLimitStatus }
  /** The counter's answer was lost: the request is served, counts as not charged and is never refunded. */
  | { readonly outcome: 'uncounted'; readonly rateLimit: RateLimitStatus }
  | { readonly outcome: 'refused'; readonly refusal: LimitRefusal; readonly rateLimit: RateLimitStatus }
  /** The counter is throttled: nothing was charged, and what is left is not known. */
  | { readonly outcome: 'refused'; readonly refusal: ThrottleRefusal; readonly rateLimit?: never };

export interface Meter {
  /**
   * @param onAsked called when the counter is asked, and not for a refusal that is remembered
   * @throws when the counter cannot be reached; nothing was charged then.
   */
  charge(allowance: Allowance, requestId: string, onAsked?: () => void): Promise<Charge>;
  /** Gives one charged request back and returns the rate limit status afterwards. Never throws. */
  refund(allowance: Allowance, requestId: string, charged: RateLimitStatus): Promise<RateLimitStatus>;
  /** The rate limit status, without charging anything. */
  status(allowance: Allowance): Promise<RateLimitStatus>;
}

export interface MeterDeps {
  readonly counters: QuotaCounters;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export function createMeter({ counters, clock, telemetry }: MeterDeps): Meter {
  // Refusals only: an admission that is remembered would be one that is not counted.
  const refused = createExpiringCache<true>(refusalsRememberedMax);
  // The limit is part of the name, so that a better plan is asked about at once.
  const nameOf = (allowance: Allowance) => `${counterKey(allowance)}#${allowance.limit}`;

  return {
    async charge(allowance, requestId, onAsked) {
      if (refused.get(nameOf(allowance), clock.nowMs())) return refusalOf(allowance);
      const consuming = counters.consume(allowance, requestId);
      onAsked?.();
      const consumption = await consuming;
      switch (consumption.outcome) {
        case 'charged':
          return { outcome: 'charged', rateLimit: rateLimitStatusOf(allowance, consumption.taken) };
        case 'unknown':
          telemetry.count('meterUnknown');
          return { outcome: 'uncounted', rateLimit: rateLimitStatusOf(allowance, 0) };
        case 'throttled':
          telemetry.count('meterThrottled');
          return { outcome: 'refused', refusal: throttleRefusal };
        case 'exhausted': {
          const endsMs = Math.min(clock.nowMs() + refusalRememberedMs, allowance.window.endMs);
          refused.set(nameOf(allowance), true, endsMs);
          return refusalOf(allowance);
        }
      }
    },

    async refund(allowance, requestId, charged) {
      try {
        await counters.refund(allowance, requestId);
        refused.delete(nameOf(allowance));
        telemetry.count('refunds');
        return { ...charged, remaining: Math.min(charged.limit, charged.remaining + 1) };
      } catch (error) {
        telemetry.count('refundFailed');
        telemetry.error('A refund did not go through', error);
        return charged;
      }
    },

    async status(allowance) {
      // Without a limit there is nothing to be left.
      const isLimited = allowance.limit !== unlimitedRequests;
      return rateLimitStatusOf(allowance, isLimited ? await counters.taken(allowance) : 0);
    },
  };
}

function refusalOf(allowance: Allowance): Charge {
  const { counter, window } = allowance;
  const rateLimit = rateLimitStatusOf(allowance, allowance.limit);
  if (counter.kind === 'fair-use')
    return { outcome: 'refused', refusal: { code: 'rate_limited', rateLimit, use: counter.use }, rateLimit };
  const code = window.kind === 'hour' ? 'rate_limited' : 'quota_exceeded';
  return { outcome: 'refused', refusal: { code, rateLimit }, rateLimit };
}
