/** What a caller may spend in which window, and its rate limit status. */

import { shardOf } from '../base/shard-of';
import { hourWindow, monthWindow, type Window } from '../base/window';
import {
  anonymousRequestsPerHour,
  type Plans,
  sharedLimits,
  testRequestsPerHour,
  unlimitedCounterShards,
  unlimitedRequests,
} from '../contract/plans';
import type { AccountId } from '../credentials/account-id';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { FairUse, RateLimitStatus } from '../problems/problem';

/** What may be taken in a window: the counter that requests are charged to, and its limit. */
export interface Limit {
  /**
   * `ip` counts distinct requests in a set, exact under retries; `account` adds to a quota item; `fair-use` bounds what
   * costs no quota.
   */
  readonly counter:
    | { readonly kind: 'ip'; readonly ipHash: string }
    | {
        readonly kind: 'account';
        readonly account: AccountId;
        /** For announcements; no part of the counter's key. */
        readonly accountName?: string;
        readonly mode: 'live' | 'test';
      }
    | {
        readonly kind: 'fair-use';
        readonly use: FairUse;
        readonly owner: string;
        /** Counts distinct ids in a set, as `ip` does. */
        readonly isSet?: true;
      };
  /** Units per window; `unlimitedRequests` when none is enforced. */
  readonly limit: number;
  readonly window: Window;
  /** How the limit is changed, where its caller can do so. */
  readonly hint?: string;
  /** What one account is sure of in a limit that all share; absent for a limit of a caller's own. */
  readonly share?: Limit;
}

/**
 * How much of a shared limit is open to an account that has taken its share: half when the window begins, and all at its
 * end, so that nothing is kept for accounts that do not come.
 */
export function openPartOf(limit: number, { startMs, endMs }: Window, nowMs: number): number {
  const { open } = sharedLimits;
  return Math.floor(limit * (open + ((1 - open) * (nowMs - startMs)) / (endMs - startMs)));
}

/**
 * The quota of a caller at a moment.
 * @param ipHash keyed hash of the client IP address, used for anonymous callers only
 */
export function quotaOf(caller: Caller, ipHash: string, plans: Plans, nowMs: number): Limit {
  switch (caller.kind) {
    case 'anonymous':
      return {
        counter: { kind: 'ip', ipHash },
        limit: anonymousRequestsPerHour,
        window: hourWindow(nowMs),
      };
    case 'test':
      return {
        counter: accountCounter(caller),
        limit: testRequestsPerHour,
        window: hourWindow(nowMs),
      };
    case 'live':
      return {
        counter: accountCounter(caller),
        limit: plans[caller.plan].monthlyRequests,
        window: monthWindow(nowMs),
      };
  }
}

function accountCounter({ account, accountName, kind: mode }: KeyedCaller): Limit['counter'] {
  return { kind: 'account', account, ...(accountName === undefined ? {} : { accountName }), mode };
}

/** Whether a counter holds the ids that it has counted, so that one which is repeated is counted once. */
export function isSet({ counter }: Limit): boolean {
  return counter.kind === 'ip' || (counter.kind === 'fair-use' && counter.isSet === true);
}

/** The rate limit status after `taken` units of an quota are gone; an unlimited one never shrinks. */
export function rateLimitStatusOf(quota: Limit, taken: number): RateLimitStatus {
  const { limit, window } = quota;
  const remaining = limit === unlimitedRequests ? limit : Math.max(0, limit - taken);
  return { limit, remaining, window };
}

/** Key of the counter's item: one per account and window, per IP address and hour, or per fair use, owner and window. */
export function counterKey(quota: Limit): string {
  const { counter, window } = quota;
  if (counter.kind === 'ip') return `RL#${counter.ipHash}#${window.label}`;
  if (counter.kind === 'fair-use') return `F#${counter.use}#${counter.owner}#${window.label}`;
  return counter.mode === 'test'
    ? `Q#${counter.account}#test#${window.label}`
    : `Q#${counter.account}#${window.label}`;
}

const reservationsSuffix = '#held';

/**
 * Key of the item that holds an account's pending generations. A limited account's stand apart from its counter, which
 * grants them their units: ordinary requests pay for the size of the counter's item alone. An unlimited one's need no
 * grant.
 */
export function reservationsKey(quota: Limit): string {
  const key = counterKey(quota);
  return quota.limit === unlimitedRequests ? key : `${key}${reservationsSuffix}`;
}

/** Key of the counter that grants units to an item of reservations; absent where no limit is enforced. */
export function grantingCounterKey(reservations: string): string | undefined {
  return reservations.endsWith(reservationsSuffix)
    ? reservations.slice(0, -reservationsSuffix.length)
    : undefined;
}

/** Whether a counter is spread over several items: an account's that has no limit, and so no condition to keep. */
function isSpread({ counter, limit }: Limit): boolean {
  return counter.kind === 'account' && limit === unlimitedRequests;
}

/**
 * Key of the item that one ordinary request is charged to. A spread counter has items of its own beside the one that
 * holds pending generations: the same request always has the same.
 */
export function chargedKey(quota: Limit, requestId: string): string {
  const key = counterKey(quota);
  return isSpread(quota) ? `${key}#${shardOf(requestId, unlimitedCounterShards)}` : key;
}

/** Keys of all items whose units add up to what a counter has taken. */
export function summedKeys(quota: Limit): readonly string[] {
  const key = counterKey(quota);
  if (!isSpread(quota)) return [key];
  return [key, ...Array.from({ length: unlimitedCounterShards }, (_, shard) => `${key}#${shard}`)];
}

/** The shares of a monthly quota whose use is announced, in percent. */
export const usageThresholdsPercent = [80, 100] as const;
/** A share of a quota in percent. */
export type UsageThreshold = (typeof usageThresholdsPercent)[number];

/** Units with which a share of a limit is reached. */
function unitsAt(percent: UsageThreshold, limit: number): number {
  return Math.ceil((limit * percent) / 100);
}

/**
 * The thresholds that a counter reaches with exactly this value. A counter grows one by one, so each threshold is
 * reached by one request, and by another only after something was given back.
 * @param used units taken, the latest included
 */
export function thresholdsReachedBy(used: number, limit: number): readonly UsageThreshold[] {
  return usageThresholdsPercent.filter((percent) => used === unitsAt(percent, limit));
}
