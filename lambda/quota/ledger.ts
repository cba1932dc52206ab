/** Charges requests before they are worked on, refunds those without an image, and takes what is limited beside the quota. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import { whileClosing } from '../base/request-deadline';
import type { Telemetry } from '../base/telemetry';
import { unlimitedRequests } from '../contract/plans';
import {
  type ChargeRefusal,
  type LimitRefusal,
  type RateLimitStatus,
  throttleRefusal,
} from '../problems/problem';
import type { Payment } from './payment';
import { counterKey, type Limit, openPartOf, rateLimitStatusOf } from './quota';
import type { QuotaCounters } from './quota-counters';
import type { RequestContext } from './request-context';
import type { AnnounceUsage } from './usage/at-thresholds';

/** Longest time a refusal is repeated without reading the counter, in milliseconds. */
const refusalRememberedMs = 60_000;
const limitsRememberedMax = 10_000;

/** What is charged for one request, and to whom. */
type ChargedRequest = Pick<RequestContext, 'quota' | 'credentialLimits' | 'requestId' | 'payment'>;

type Charge =
  | { readonly outcome: 'admitted'; readonly payment: Payment }
  /** Nothing was charged. */
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal };

/** What became of taking one unit from each of several limits. */
export type Take =
  /** `of`: the limits that have counted it, in order, the account's share of a shared one included. */
  | { readonly outcome: 'taken'; readonly of: readonly Limit[]; readonly rateLimit?: RateLimitStatus }
  /** `by`: the limit that is reached; absent where a counter takes no more writes now. Nothing was taken. */
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal; readonly by?: Limit }
  /** A counter's answer was lost: none of the others has counted it. */
  | { readonly outcome: 'unknown' };

type NotTaken = Exclude<Take, { outcome: 'taken' }>;

/** Everything that takes units from limits, or gives them back. */
export interface Ledger {
  /**
   * Takes one unit from each of the request's `credentialLimits`, then from its quota: from all of them or from none. A
   * request that comes with a payment keeps it, and nothing is charged.
   * @param onSent called when the quota's counter is written to, and not for a refusal that comes before
   * @throws when a counter cannot be reached; nothing was charged then.
   */
  charge(request: ChargedRequest, onSent?: () => void): Promise<Charge>;
  /**
   * Gives back what a payment has taken. One that took nothing, or is owed, stays as it is. Never throws.
   * @returns what holds from now on: `refunded`, or `owed` when the refund failed
   */
  refund(request: ChargedRequest, payment: Payment): Promise<Payment>;
  /**
   * Takes one unit from each limit, in order, or from none.
   * @param id the same for the same request or execution
   * @param onSent called when the last counter is written to
   * @throws when a counter cannot be reached; what was taken has been given back by then
   */
  take(limits: readonly Limit[], id: string, onSent?: () => void): Promise<Take>;
  /** Gives back one unit of each limit. Never throws: what stays counted only tightens the limit. */
  giveBack(limits: readonly Limit[], id: string): Promise<void>;
  /** The refusal of one of these limits that this instance remembers; makes no call. */
  cachedRefusal(limits: readonly Limit[]): LimitRefusal | undefined;
  /** The rate limit status, without charging anything; that of the request's payment where it has one. */
  status(request: Pick<ChargedRequest, 'quota' | 'payment'>): Promise<RateLimitStatus>;
  /** The rate limit status as this instance saw it last: reading it would cost each free delivery a call. */
  lastStatus(quota: Limit): Promise<RateLimitStatus>;
}

interface LedgerDeps {
  readonly counters: QuotaCounters;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
  /** Called with each unit that is taken; announces those that reach a threshold. */
  readonly announceUsage?: AnnounceUsage;
}

/** Remembers refusals in this instance for a minute; everything else is in the counters. */
export function createLedger({ counters, clock, telemetry, announceUsage }: LedgerDeps): Ledger {
  // Refusals only: an admission that is remembered would be one that is not counted.
  const refused = createExpiringCache<true>(limitsRememberedMax);
  const statuses = createExpiringCache<RateLimitStatus>(limitsRememberedMax);
  // The limit is part of the name, so that a better plan takes effect at once.
  const nameOf = (limit: Limit) => `${counterKey(limit)}#${limit.limit}`;

  const isRefused = (limit: Limit) => refused.get(nameOf(limit), clock.nowMs()) === true;
  const remembered = (by: Limit): NotTaken => ({
    outcome: 'refused',
    refusal: { ...refusalOf(by), isRemembered: true },
    by,
  });
  const refuse = (by: Limit, limit: Limit): NotTaken => {
    refused.set(nameOf(limit), true, clock.nowMs() + refusalRememberedMs);
    return { outcome: 'refused', refusal: refusalOf(by), by };
  };
  const noted = (limit: Limit, status: RateLimitStatus): RateLimitStatus => {
    statuses.set(nameOf(limit), status, limit.window.endMs);
    return status;
  };
  const giveBack: Ledger['giveBack'] = (limits, id) => refundAll({ counters, telemetry }, limits, id);

  const cachedRefusal: Ledger['cachedRefusal'] = (limits) => {
    const refused = limits.find(isRefused);
    return refused && { ...refusalOf(refused), isRemembered: true };
  };

  /** Takes from one limit, and adds what has counted it. @returns why not, where it was not taken */
  const takeOne = async (
    given: Limit,
    id: string,
    of: { limit: Limit; taken: number }[],
    onSent?: () => void,
  ): Promise<NotTaken | undefined> => {
    let limit = given;
    if (given.share) {
      // Before the shared one, so that what others count of it is what was admitted.
      const share = await counters.charge(given.share, id);
      if (share.outcome === 'charged') of.push({ limit: given.share, taken: share.taken });
      else if (share.outcome === 'exhausted')
        limit = { ...given, limit: openPartOf(given.limit, given.window, clock.nowMs()) };
      else return lost(share.outcome);
    }
    const by = limit === given ? limit : (given.share as Limit);
    if (isRefused(limit)) return remembered(by);
    const charging = counters.charge(limit, id);
    onSent?.();
    const charged = await charging;
    if (charged.outcome === 'exhausted') return refuse(by, limit);
    if (charged.outcome !== 'charged') return lost(charged.outcome);
    of.push({ limit: given, taken: charged.taken });
    return undefined;
  };
  const lost = (outcome: 'throttled' | 'unknown'): NotTaken => {
    telemetry.count(outcome === 'unknown' ? 'meterUnknown' : 'meterThrottled');
    return outcome === 'unknown' ? { outcome } : { outcome: 'refused', refusal: throttleRefusal };
  };

  const take: Ledger['take'] = async (limits, id, onSent) => {
    const refused = limits.find(isRefused);
    if (refused) return remembered(refused);
    const of: { limit: Limit; taken: number }[] = [];
    const undo = () =>
      giveBack(
        of.map(({ limit }) => limit),
        id,
      );
    try {
      for (const limit of limits) {
        const failed = await takeOne(limit, id, of, limit === limits.at(-1) ? onSent : undefined);
        if (!failed) continue;
        await undo();
        return failed;
      }
    } catch (error) {
      await undo();
      throw error;
    }
    if (announceUsage) for (const { limit, taken } of of) await announceUsage(limit, taken);
    const last = of.at(-1);
    const rateLimit = last && noted(last.limit, rateLimitStatusOf(last.limit, last.taken));
    return { outcome: 'taken', of: of.map(({ limit }) => limit), ...(rateLimit && { rateLimit }) };
  };

  const status: Ledger['status'] = async ({ quota, payment }) => {
    if (payment) return payment.rateLimit;
    // Without a limit there is nothing to be left.
    const isLimited = quota.limit !== unlimitedRequests;
    return noted(quota, rateLimitStatusOf(quota, isLimited ? await counters.taken(quota) : 0));
  };

  return {
    take,
    giveBack,
    cachedRefusal,
    status,

    async charge({ quota, credentialLimits, requestId, payment }, onSent) {
      if (payment) {
        onSent?.();
        return { outcome: 'admitted', payment };
      }
      const charged = await take([...credentialLimits, quota], requestId, onSent);
      if (charged.outcome === 'refused') return { outcome: 'refused', refusal: charged.refusal };
      const state = charged.outcome === 'taken' ? 'charged' : 'owed';
      const rateLimit = 'rateLimit' in charged && charged.rateLimit;
      return { outcome: 'admitted', payment: { state, rateLimit: rateLimit || rateLimitStatusOf(quota, 0) } };
    },

    async refund({ quota, credentialLimits, requestId }, payment) {
      if (payment.state !== 'charged') return payment;
      const { rateLimit } = payment;
      try {
        await whileClosing(() => counters.refund(quota, requestId));
      } catch (error) {
        telemetry.count('refundFailed');
        telemetry.error('A refund did not go through', error);
        return { state: 'owed', rateLimit };
      }
      // In this order, so that the account never pays for a unit that its credential has back.
      await giveBack(credentialLimits, requestId);
      for (const limit of [quota, ...credentialLimits]) refused.delete(nameOf(limit));
      telemetry.count('refunds');
      const remaining = Math.min(rateLimit.limit, rateLimit.remaining + 1);
      return { state: 'refunded', rateLimit: noted(quota, { ...rateLimit, remaining }) };
    },

    lastStatus: async (quota) => statuses.get(nameOf(quota), clock.nowMs()) ?? status({ quota }),
  };
}

/** Gives back one unit of each limit. Never throws: what stays counted only tightens the limit. */
export async function refundAll(
  {
    counters,
    telemetry,
  }: Pick<LedgerDeps, 'telemetry'> & { readonly counters: Pick<QuotaCounters, 'refund'> },
  limits: readonly Limit[],
  id: string,
): Promise<void> {
  for (const limit of limits) {
    try {
      await whileClosing(() => counters.refund(limit, id));
    } catch (error) {
      telemetry.count('refundFailed');
      telemetry.error('A unit was not given back', error, { counter: counterKey(limit).split('#')[1] ?? '' });
    }
  }
}

/** The refusal of a limit that is used up: which one, and until when. */
export function refusalOf(limit: Limit): LimitRefusal {
  const { counter, window, hint } = limit;
  const rateLimit = rateLimitStatusOf(limit, limit.limit);
  const code = window.kind === 'month' ? 'quota_exceeded' : 'rate_limited';
  const use = counter.kind === 'fair-use' && { use: counter.use };
  return { code, rateLimit, ...use, ...(hint !== undefined && { hint }) };
}
