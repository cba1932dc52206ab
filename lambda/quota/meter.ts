/** Charges a request before it is worked on, and refunds it when no image came of it. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import { unlimitedRequests } from '../contract/plans';
import {
  type ChargeRefusal,
  type LimitRefusal,
  type RateLimitStatus,
  throttleRefusal,
} from '../problems/problem';
import type { Payment } from './payment';
import { type Allowance, counterKey, rateLimitStatusOf } from './quota';
import type { Consumption, QuotaCounters } from './quota-counters';
import type { RequestContext } from './request-context';

/** Longest time a refusal is repeated without reading the counter, in milliseconds. */
const refusalRememberedMs = 60_000;
const refusalsRememberedMax = 10_000;

/** What is charged for one request, and to whom. */
type ChargedRequest = Pick<RequestContext, 'allowance' | 'bounds' | 'requestId' | 'payment'>;

type Charge =
  | { readonly outcome: 'admitted'; readonly payment: Payment }
  /** Nothing was charged. */
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal };

export interface Meter {
  /**
   * Takes one unit from each of the request's `bounds`, then from its allowance: from all of them or from none. A request
   * that comes with a payment keeps it, and nothing is charged.
   * @param onAsked called when the allowance's counter is asked, and not for a refusal that comes before
   * @throws when a counter cannot be reached; nothing was charged then.
   */
  charge(request: ChargedRequest, onAsked?: () => void): Promise<Charge>;
  /**
   * Gives back what a payment has taken. One that took nothing, or is owed, stays as it is. Never throws.
   * @returns what holds from now on: `refunded`, or `owed` when the refund failed
   */
  refund(request: ChargedRequest, payment: Payment): Promise<Payment>;
  /** The refusal of one of these windows that this instance remembers; makes no call. */
  knownRefusal(windows: readonly Allowance[]): LimitRefusal | undefined;
  /** The rate limit status, without charging anything; that of the request's payment where it has one. */
  status(request: Pick<ChargedRequest, 'allowance' | 'payment'>): Promise<RateLimitStatus>;
}

interface MeterDeps {
  readonly counters: QuotaCounters;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export function createMeter({ counters, clock, telemetry }: MeterDeps): Meter {
  // Refusals only: an admission that is remembered would be one that is not counted.
  const refused = createExpiringCache<true>(refusalsRememberedMax);
  // The limit is part of the name, so that a better plan takes effect at once.
  const nameOf = (allowance: Allowance) => `${counterKey(allowance)}#${allowance.limit}`;

  const knownRefusal: Meter['knownRefusal'] = (windows) => {
    const known = windows.find((window) => refused.get(nameOf(window), clock.nowMs()));
    return known && refusalOf(known);
  };
  const refuse = (window: Allowance): Charge => {
    const endsMs = Math.min(clock.nowMs() + refusalRememberedMs, window.window.endMs);
    refused.set(nameOf(window), true, endsMs);
    return { outcome: 'refused', refusal: refusalOf(window) };
  };
  const uncounted = (allowance: Allowance): Charge => {
    telemetry.count('meterUnknown');
    return { outcome: 'admitted', payment: { state: 'owed', rateLimit: rateLimitStatusOf(allowance, 0) } };
  };
  const throttled = (): Charge => {
    telemetry.count('meterThrottled');
    return { outcome: 'refused', refusal: throttleRefusal };
  };

  return {
    knownRefusal,

    async charge({ allowance, bounds = [], requestId, payment }, onAsked) {
      if (payment) {
        onAsked?.();
        return { outcome: 'admitted', payment };
      }
      const refusal = knownRefusal([...bounds, allowance]);
      if (refusal) return { outcome: 'refused', refusal };
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
      if (consumption.outcome === 'charged') {
        const rateLimit = rateLimitStatusOf(allowance, consumption.taken);
        return { outcome: 'admitted', payment: { state: 'charged', rateLimit } };
      }
      if (consumption.outcome === 'unknown') return uncounted(allowance);
      await giveBackBounds({ counters, telemetry }, bounds, requestId);
      return consumption.outcome === 'throttled' ? throttled() : refuse(allowance);
    },

    async refund({ allowance, bounds = [], requestId }, payment) {
      if (payment.state !== 'charged') return payment;
      const { rateLimit } = payment;
      try {
        await counters.refund(allowance, requestId);
      } catch (error) {
        telemetry.count('refundFailed');
        telemetry.error('A refund did not go through', error);
        return { state: 'owed', rateLimit };
      }
      // In this order, so that the account never pays for a unit that its credential has back.
      await giveBackBounds({ counters, telemetry }, bounds, requestId);
      for (const window of [allowance, ...bounds]) refused.delete(nameOf(window));
      telemetry.count('refunds');
      const remaining = Math.min(rateLimit.limit, rateLimit.remaining + 1);
      return { state: 'refunded', rateLimit: { ...rateLimit, remaining } };
    },

    async status({ allowance, payment }) {
      if (payment) return payment.rateLimit;
      // Without a limit there is nothing to be left.
      const isLimited = allowance.limit !== unlimitedRequests;
      return rateLimitStatusOf(allowance, isLimited ? await counters.taken(allowance) : 0);
    },
  };
}

interface TakeBoundsDeps {
  readonly counters: Pick<QuotaCounters, 'consume' | 'refund'>;
  readonly telemetry: Telemetry;
}

type TakenBounds =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'exhausted'; readonly bound: Allowance }
  /** A counter takes no more writes now: nothing was taken. */
  | { readonly outcome: 'throttled' }
  /** An answer was lost: nothing may be charged that a bound has not counted. */
  | { readonly outcome: 'unknown' };

/**
 * Takes one unit from each window that bounds a credential, or from none.
 * @throws when a counter cannot be reached; what was taken has been given back by then
 */
export async function takeBounds(
  deps: TakeBoundsDeps,
  bounds: readonly Allowance[],
  requestId: string,
): Promise<TakenBounds> {
  const taken: Allowance[] = [];
  try {
    for (const bound of bounds) {
      // A window of no units has no counter that could refuse its first one.
      const { outcome } =
        bound.limit < 1 ? ({ outcome: 'exhausted' } as const) : await deps.counters.consume(bound, requestId);
      if (outcome !== 'charged') {
        await giveBackBounds(deps, taken, requestId);
        return outcome === 'exhausted' ? { outcome, bound } : { outcome };
      }
      taken.push(bound);
    }
  } catch (error) {
    await giveBackBounds(deps, taken, requestId);
    throw error;
  }
  return { outcome: 'taken' };
}

/** Gives back one unit of each window. Never throws: what stays counted only tightens the bound. */
export async function giveBackBounds(
  { counters, telemetry }: TakeBoundsDeps,
  bounds: readonly Allowance[],
  requestId: string,
): Promise<void> {
  for (const bound of bounds) {
    try {
      await counters.refund(bound, requestId);
    } catch (error) {
      telemetry.count('refundFailed');
      telemetry.error('A unit of a credential was not given back', error);
    }
  }
}

/** The refusal of a window that is used up: which one, and until when. */
export function refusalOf(allowance: Allowance): LimitRefusal {
  const { counter, window } = allowance;
  const rateLimit = rateLimitStatusOf(allowance, allowance.limit);
  const code = window.kind === 'month' ? 'quota_exceeded' : 'rate_limited';
  return { code, rateLimit, ...(counter.kind === 'fair-use' ? { use: counter.use } : {}) };
}
