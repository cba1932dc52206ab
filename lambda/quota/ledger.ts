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
import { counterKey, type Limit, rateLimitStatusOf } from './quota';
import type { CounterCharge, QuotaCounters } from './quota-counters';
import type { RequestContext } from './request-context';

/** Longest time a refusal is repeated without reading the counter, in milliseconds. */
const refusalRememberedMs = 60_000;
const refusalsRememberedMax = 10_000;

/** What is charged for one request, and to whom. */
type ChargedRequest = Pick<RequestContext, 'quota' | 'credentialLimits' | 'requestId' | 'payment'>;

type Charge =
  | { readonly outcome: 'admitted'; readonly payment: Payment }
  /** Nothing was charged. */
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal };

export interface Ledger {
  /**
   * Takes one unit from each of the request's `credentialLimits`, then from its quota: from all of them or from none. A request
   * that comes with a payment keeps it, and nothing is charged.
   * @param onAsked called when the quota's counter is asked, and not for a refusal that comes before
   * @throws when a counter cannot be reached; nothing was charged then.
   */
  charge(request: ChargedRequest, onAsked?: () => void): Promise<Charge>;
  /**
   * Gives back what a payment has taken. One that took nothing, or is owed, stays as it is. Never throws.
   * @returns what holds from now on: `refunded`, or `owed` when the refund failed
   */
  refund(request: ChargedRequest, payment: Payment): Promise<Payment>;
  /** The refusal of one of these windows that this instance remembers; makes no call. */
  knownRefusal(windows: readonly Limit[]): LimitRefusal | undefined;
  /** The rate limit status, without charging anything; that of the request's payment where it has one. */
  status(request: Pick<ChargedRequest, 'quota' | 'payment'>): Promise<RateLimitStatus>;
}

interface LedgerDeps {
  readonly counters: QuotaCounters;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export function createLedger({ counters, clock, telemetry }: LedgerDeps): Ledger {
  // Refusals only: an admission that is remembered would be one that is not counted.
  const refused = createExpiringCache<true>(refusalsRememberedMax);
  // The limit is part of the name, so that a better plan takes effect at once.
  const nameOf = (quota: Limit) => `${counterKey(quota)}#${quota.limit}`;

  const knownRefusal: Ledger['knownRefusal'] = (windows) => {
    const known = windows.find((window) => refused.get(nameOf(window), clock.nowMs()));
    return known && refusalOf(known);
  };
  const refuse = (window: Limit): Charge => {
    const endsMs = Math.min(clock.nowMs() + refusalRememberedMs, window.window.endMs);
    refused.set(nameOf(window), true, endsMs);
    return { outcome: 'refused', refusal: refusalOf(window) };
  };
  const uncounted = (quota: Limit): Charge => {
    telemetry.count('meterUnknown');
    return { outcome: 'admitted', payment: { state: 'owed', rateLimit: rateLimitStatusOf(quota, 0) } };
  };
  const throttled = (): Charge => {
    telemetry.count('meterThrottled');
    return { outcome: 'refused', refusal: throttleRefusal };
  };

  return {
    knownRefusal,

    async charge({ quota, credentialLimits = [], requestId, payment }, onAsked) {
      if (payment) {
        onAsked?.();
        return { outcome: 'admitted', payment };
      }
      const refusal = knownRefusal([...credentialLimits, quota]);
      if (refusal) return { outcome: 'refused', refusal };
      const bounded = await chargeAll({ counters, telemetry }, credentialLimits, requestId);
      if (bounded.outcome === 'exhausted') return refuse(bounded.bound);
      if (bounded.outcome === 'throttled') return throttled();
      // Not charged at all: else the account might pay for more than the credential may spend.
      if (bounded.outcome === 'unknown') return uncounted(quota);
      let charged: CounterCharge;
      try {
        const charging = counters.charge(quota, requestId);
        onAsked?.();
        charged = await charging;
      } catch (error) {
        await refundAll({ counters, telemetry }, credentialLimits, requestId);
        throw error;
      }
      if (charged.outcome === 'charged') {
        const rateLimit = rateLimitStatusOf(quota, charged.taken);
        return { outcome: 'admitted', payment: { state: 'charged', rateLimit } };
      }
      if (charged.outcome === 'unknown') return uncounted(quota);
      await refundAll({ counters, telemetry }, credentialLimits, requestId);
      return charged.outcome === 'throttled' ? throttled() : refuse(quota);
    },

    async refund({ quota, credentialLimits = [], requestId }, payment) {
      if (payment.state !== 'charged') return payment;
      const { rateLimit } = payment;
      try {
        await counters.refund(quota, requestId);
      } catch (error) {
        telemetry.count('refundFailed');
        telemetry.error('A refund did not go through', error);
        return { state: 'owed', rateLimit };
      }
      // In this order, so that the account never pays for a unit that its credential has back.
      await refundAll({ counters, telemetry }, credentialLimits, requestId);
      for (const window of [quota, ...credentialLimits]) refused.delete(nameOf(window));
      telemetry.count('refunds');
      const remaining = Math.min(rateLimit.limit, rateLimit.remaining + 1);
      return { state: 'refunded', rateLimit: { ...rateLimit, remaining } };
    },

    async status({ quota, payment }) {
      if (payment) return payment.rateLimit;
      // Without a limit there is nothing to be left.
      const isLimited = quota.limit !== unlimitedRequests;
      return rateLimitStatusOf(quota, isLimited ? await counters.taken(quota) : 0);
    },
  };
}

interface TakeBoundsDeps {
  readonly counters: Pick<QuotaCounters, 'charge' | 'refund'>;
  readonly telemetry: Telemetry;
}

type TakenBounds =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'exhausted'; readonly bound: Limit }
  /** A counter takes no more writes now: nothing was taken. */
  | { readonly outcome: 'throttled' }
  /** An answer was lost: nothing may be charged that a bound has not counted. */
  | { readonly outcome: 'unknown' };

/**
 * Takes one unit from each window that credentialLimits a credential, or from none.
 * @throws when a counter cannot be reached; what was taken has been given back by then
 */
export async function chargeAll(
  deps: TakeBoundsDeps,
  credentialLimits: readonly Limit[],
  requestId: string,
): Promise<TakenBounds> {
  const taken: Limit[] = [];
  try {
    for (const bound of credentialLimits) {
      // A window of no units has no counter that could refuse its first one.
      const { outcome } =
        bound.limit < 1 ? ({ outcome: 'exhausted' } as const) : await deps.counters.charge(bound, requestId);
      if (outcome !== 'charged') {
        await refundAll(deps, taken, requestId);
        return outcome === 'exhausted' ? { outcome, bound } : { outcome };
      }
      taken.push(bound);
    }
  } catch (error) {
    await refundAll(deps, taken, requestId);
    throw error;
  }
  return { outcome: 'taken' };
}

/** Gives back one unit of each window. Never throws: what stays counted only tightens the bound. */
export async function refundAll(
  { counters, telemetry }: TakeBoundsDeps,
  credentialLimits: readonly Limit[],
  requestId: string,
): Promise<void> {
  for (const bound of credentialLimits) {
    try {
      await counters.refund(bound, requestId);
    } catch (error) {
      telemetry.count('refundFailed');
      telemetry.error('A unit of a credential was not given back', error);
    }
  }
}

/** The refusal of a window that is used up: which one, and until when. */
export function refusalOf(quota: Limit): LimitRefusal {
  const { counter, window, hint } = quota;
  const rateLimit = rateLimitStatusOf(quota, quota.limit);
  const code = window.kind === 'month' ? 'quota_exceeded' : 'rate_limited';
  const use = counter.kind === 'fair-use' && { use: counter.use };
  return { code, rateLimit, ...use, ...(hint !== undefined && { hint }) };
}
