/** Charges a request before it is worked on, and gives the charge back when no image came of it. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import { unlimitedRequests } from '../contract/plans';
import {
  type LimitRefusal,
  type RateLimitStatus,
  type ThrottleRefusal,
  throttleRefusal,
} from '../problems/problem';
import { type Allowance, counterKey, rateLimitStatusOf } from './quota';
import type { Consumption, QuotaCounters } from './quota-counters';
import type { RequestContext } from './request-context';
import { giveBackBounds, refusalOf, takeBounds } from './take-bounds';

/** Longest time a refusal is repeated without asking the counter, in milliseconds. */
const refusalRememberedMs = 60_000;
const refusalsRememberedMax = 10_000;

export type Charge =
  | { readonly outcome: 'charged'; readonly rateLimit: RateLimitStatus }
  /** The counter's answer was lost: the request is served, counts as not charged and is never refunded. */
  | { readonly outcome: 'uncounted'; readonly rateLimit: RateLimitStatus }
  /** There was nothing to charge. */
  | { readonly outcome: 'free'; readonly rateLimit: RateLimitStatus }
  | { readonly outcome: 'refused'; readonly refusal: LimitRefusal; readonly rateLimit: RateLimitStatus }
  /** A counter is throttled: nothing was charged, and what is left is not known. */
  | { readonly outcome: 'refused'; readonly refusal: ThrottleRefusal; readonly rateLimit?: never };

export interface Refund {
  /** The rate limit status afterwards. */
  readonly rateLimit: RateLimitStatus;
  /** Whether the charge is known to be given back. */
  readonly isDone: boolean;
}

export interface Meter {
  /**
   * Takes one unit from each of the `bounds`, then from the allowance: from all of them or from none.
   * @param onAsked called when the allowance's counter is asked, and not for a refusal that comes before
   * @throws when a counter cannot be reached; nothing was charged then.
   */
  charge(
    allowance: Allowance,
    requestId: string,
    bounds?: readonly Allowance[],
    onAsked?: () => void,
  ): Promise<Charge>;
  /** Gives one charged request back, with what it took from the same `bounds`. Never throws. */
  refund(
    allowance: Allowance,
    requestId: string,
    charged: RateLimitStatus,
    bounds?: readonly Allowance[],
  ): Promise<Refund>;
  /** The refusal of one of these windows that this instance remembers; makes no call. */
  knownRefusal(windows: readonly Allowance[]): LimitRefusal | undefined;
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

  const knownRefusal: Meter['knownRefusal'] = (windows) => {
    const known = windows.find((window) => refused.get(nameOf(window), clock.nowMs()));
    return known && refusalOf(known);
  };
  const refuse = (window: Allowance): Charge => {
    const endsMs = Math.min(clock.nowMs() + refusalRememberedMs, window.window.endMs);
    refused.set(nameOf(window), true, endsMs);
    return refusedBy(refusalOf(window));
  };
  const uncounted = (allowance: Allowance): Charge => {
    telemetry.count('meterUnknown');
    return { outcome: 'uncounted', rateLimit: rateLimitStatusOf(allowance, 0) };
  };
  const throttled = (): Charge => {
    telemetry.count('meterThrottled');
    return { outcome: 'refused', refusal: throttleRefusal };
  };

  return {
    knownRefusal,

    async charge(allowance, requestId, bounds = [], onAsked) {
      const known = knownRefusal([...bounds, allowance]);
      if (known) return refusedBy(known);
      const bounded = await takeBounds({ counters, telemetry }, bounds, requestId);
      if (bounded.outcome === 'exhausted') return refuse(bounded.bound);
      if (bounded.outcome === 'throttled') return throttled();
      // Not charged at all: else the account might pay for more than the credential may spend.
      if (bounded.outcome === 'unknown') return uncounted(allowance);
      let consumption: Consumption;
      try {
        const consuming = counters.consume(allowance, requestId);
        onAsked?.();
        consumption = await consuming;
      } catch (error) {
        await giveBackBounds({ counters, telemetry }, bounds, requestId);
        throw error;
      }
      switch (consumption.outcome) {
        case 'charged':
          return { outcome: 'charged', rateLimit: rateLimitStatusOf(allowance, consumption.taken) };
        case 'unknown':
          return uncounted(allowance);
        case 'throttled':
          await giveBackBounds({ counters, telemetry }, bounds, requestId);
          return throttled();
        case 'exhausted':
          await giveBackBounds({ counters, telemetry }, bounds, requestId);
          return refuse(allowance);
      }
    },

    async refund(allowance, requestId, charged, bounds = []) {
      try {
        await counters.refund(allowance, requestId);
      } catch (error) {
        telemetry.count('refundFailed');
        telemetry.error('A refund did not go through', error);
        return { rateLimit: charged, isDone: false };
      }
      // In this order, so that the account never pays for a unit that its credential has back.
      await giveBackBounds({ counters, telemetry }, bounds, requestId);
      for (const window of [allowance, ...bounds]) refused.delete(nameOf(window));
      telemetry.count('refunds');
      const remaining = Math.min(charged.limit, charged.remaining + 1);
      return { rateLimit: { ...charged, remaining }, isDone: true };
    },

    async status(allowance) {
      // Without a limit there is nothing to be left.
      const isLimited = allowance.limit !== unlimitedRequests;
      return rateLimitStatusOf(allowance, isLimited ? await counters.taken(allowance) : 0);
    },
  };
}

function refusedBy(refusal: LimitRefusal): Charge {
  return { outcome: 'refused', refusal, rateLimit: refusal.rateLimit };
}

/** A meter for an image that is paid: it charges nothing, and makes no call. */
export function paidMeter(rateLimit: RateLimitStatus): Meter {
  return {
    charge: async (_allowance, _requestId, _bounds, onAsked) => {
      onAsked?.();
      return { outcome: 'free', rateLimit };
    },
    refund: async () => ({ rateLimit, isDone: true }),
    knownRefusal: () => undefined,
    status: async () => rateLimit,
  };
}

/**
 * Gives back what a request was charged. A charge whose outcome is unknown is left as it is, and may stand. Never throws.
 */
export async function giveBack(
  meter: Pick<Meter, 'refund'>,
  { outcome, rateLimit }: Exclude<Charge, { outcome: 'refused' }>,
  { allowance, requestId, bounds }: Pick<RequestContext, 'allowance' | 'requestId' | 'bounds'>,
): Promise<Refund> {
  if (outcome === 'charged') return meter.refund(allowance, requestId, rateLimit, bounds);
  return { rateLimit, isDone: outcome !== 'uncounted' };
}
