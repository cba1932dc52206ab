/**
 * What bounds callers: a limit counts units in a window, in one item. `take` takes one unit of each of several limits, or
 * of none.
 */

import type { Window } from '../base/window';
import { unlimitedRequests } from '../contract/plans';
import type { LimitRefusal, RateLimitStatus } from '../problems/problem';

/**
 * `requests`: what a plan, a credential or an anonymous address may be served. `work`: what costs the operator something
 * and the caller no unit (a search, a new rendition, a delivery that is free). `generations`: AI images that are begun.
 * `provider`: requests to a stock provider. `waiting`: requests that wait for an image at the same time.
 */
export type LimitKind = 'requests' | 'work' | 'generations' | 'provider' | 'waiting';

/** How many units an owner may take in a window. */
export interface Limit {
  readonly kind: LimitKind;
  /** Whose units are counted, such as `live#{account}`, `ip#{hash}` or `all`: a part of the item's key, never shown. */
  readonly owner: string;
  /** Units per window; `unlimitedRequests` counts them and refuses none. */
  readonly max: number;
  readonly window: Window;
  /** What is counted, in the plural and in words for the caller, such as `AI images`. */
  readonly counts: string;
  /** How the limit is changed, where its caller can do so: a sentence. */
  readonly hint?: string;
  /** What the operator calls the account, for announcements of its usage. */
  readonly accountName?: string;
}

/** The key of the item that counts a limit. The maximum is no part of it: a plan may change within a window. */
export function limitKey({ kind, owner, window }: Limit): string {
  return `${kind}#${owner}#${window.label}`;
}

/** Whether units are only counted, and none is refused. */
export function isUnlimited({ max }: Pick<Limit, 'max'>): boolean {
  return max >= unlimitedRequests;
}

/** What the rate-limit headers say after `used` units are gone. What has no limit never shrinks. */
export function rateLimitStatusOf(limit: Pick<Limit, 'max' | 'window'>, used: number): RateLimitStatus {
  const { max, window } = limit;
  const remaining = isUnlimited(limit) ? max : Math.max(0, max - used);
  return { limit: max, remaining, window };
}

/** The refusal of a limit that is used up: what it counts, and until when. */
export function refusalOf(limit: Limit): LimitRefusal {
  const { kind, counts, window, hint } = limit;
  return {
    code: window.kind === 'month' ? 'quota_exceeded' : 'rate_limited',
    rateLimit: rateLimitStatusOf(limit, limit.max),
    ...(kind !== 'requests' && { kind }),
    ...(counts !== 'requests' && { counts }),
    ...(hint !== undefined && { hint }),
  };
}

const daySeconds = 86_400;

/**
 * When DynamoDB may delete the item, in epoch seconds: long after a unit of it can be given back. A month's requests are
 * reported for thirteen months.
 */
export function counterExpiryS({ kind, window }: Limit): number {
  const isReported = kind === 'requests' && window.kind === 'month';
  return Math.ceil(window.endMs / 1_000) + (isReported ? 400 : 2) * daySeconds;
}
