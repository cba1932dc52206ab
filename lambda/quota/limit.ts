/** Defines limits: how many units an owner may take in a window. */

import { dropUndefined } from '../base/drop-undefined';
import { computeSecondsUntil, computeTtlS, dayMs, type Window } from '../base/window';
import { unlimitedCounterShards, unlimitedRequests } from '../contract/plans';
import {
  generationInProgress,
  type LimitRefusal,
  type RateLimitStatus,
  type Refusal,
} from '../problems/problem';

/**
 * The kinds of limits, by what they count.
 * - `requests`: images of a plan, a credential or an anonymous address, and requests about usage and keys.
 * - `work`: what costs the operator more than a stored answer: a search, a new rendition, a free delivery. A
 *   charged request takes it too.
 * - `generations`: AI images that are begun.
 * - `provider`: requests to a stock provider.
 * - `waiting`: requests that wait for an AI image. Each gives its unit back when its wait ends.
 */
export type LimitKind = 'requests' | 'work' | 'generations' | 'provider' | 'waiting';

/** A number of units of one kind that an owner may take. */
export interface Limit {
  readonly kind: LimitKind;
  /** The owner of the counted units, such as `live#{account}`, `ip#{hash}` or `all`. No response shows it. */
  readonly owner: string;
  /** Units per window; `unlimitedRequests` counts them and refuses none. */
  readonly max: number;
  readonly window: Window;
  /** The counted things in the plural, such as `AI images`. It is absent if no caller reads the refusal. */
  readonly unitName?: string;
  /** A sentence that says how the caller can change the limit. */
  readonly hint?: string;
  /** The operator's name for the account, for announcements of its usage. */
  readonly accountName?: string;
}

/** Makes the key of the item that counts a limit. The maximum is no part of it, because a plan may change. */
export function makeCounterKey({ kind, owner, window }: Limit): string {
  return `${kind}#${owner}#${window.label}`;
}

/** Lists the keys of the items that count a limit. An unlimited limit has several: one takes 1,000 writes/s. */
export function listCounterKeys(limit: Limit): readonly string[] {
  if (!isUnlimited(limit)) return [makeCounterKey(limit)];
  return Array.from({ length: unlimitedCounterShards }, (_, shard) => `${makeCounterKey(limit)}#${shard}`);
}

/** Returns true if units are only counted and none is refused. */
export function isUnlimited({ max }: Pick<Limit, 'max'>): boolean {
  return max >= unlimitedRequests;
}

/** Computes the rate limit status after `used` units are taken. An unlimited limit always has all units left. */
export function computeRateLimitStatus(limit: Pick<Limit, 'max' | 'window'>, used: number): RateLimitStatus {
  const remaining = isUnlimited(limit) ? limit.max : Math.max(0, limit.max - used);
  return { limit: limit.max, remaining, window: limit.window };
}

/** Makes the refusal by a limit that is used up. */
export function refuseByLimit(limit: Limit): LimitRefusal {
  const { kind, unitName, window, hint } = limit;
  return dropUndefined({
    code: window.kind === 'month' ? ('quota_exceeded' as const) : ('rate_limited' as const),
    rateLimit: computeRateLimitStatus(limit, limit.max),
    kind: kind === 'work' || kind === 'generations' ? kind : undefined,
    unitName: unitName === 'requests' ? undefined : unitName,
    hint,
  });
}

/** Makes the refusal by a limit of AI images that is used up. After that of a minute, the caller may try again. */
export function refuseGeneration(limit: Limit, nowMs: number): Refusal {
  const { endsMs, kind } = limit.window;
  if (kind === 'month') return refuseByLimit(limit);
  if (kind === 'day') return { code: 'generation_paused', endsMs };
  return { ...generationInProgress, retryAfterS: computeSecondsUntil(endsMs, nowMs) };
}

/** Computes when DynamoDB may delete a counter (epoch seconds). Refunds may come up to two days late. */
export function computeCounterExpiryS({ window }: Pick<Limit, 'window'>): number {
  return computeTtlS(window.endsMs + 2 * dayMs);
}
