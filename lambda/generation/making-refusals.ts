/** Why an image is not made for a request: the refusals of its generation and of its account. */

import type { Telemetry } from '../base/telemetry';
import {
  inProgressRetryAfterS,
  type LimitRefusal,
  type RateLimitStatus,
  type Refusal,
  throttleRefusal,
} from '../problems/problem';
import type { Allowance } from '../quota/quota';
import { refusalOf } from '../quota/take-bounds';
import type { Generation } from './generation';

/** The answer to a request that gets no image. */
export interface RefusedImage {
  readonly outcome: 'refused';
  readonly refusal: Refusal;
  readonly rateLimit?: RateLimitStatus;
  /** This request leads a making that goes on, and is charged when it ends. */
  readonly isOwed?: true;
}

/** What requests are answered with while a failed generation is left alone. */
export function whyFailed({ failure, notBeforeMs = 0 }: Generation, nowMs: number): Refusal {
  if (failure === 'content_refused') return { code: failure };
  return { code: 'upstream_unavailable', retryAfterS: Math.ceil((notBeforeMs - nowMs) / 1_000) };
}

/** The refusal of a reservation: no quota is left, or no place is free. */
export function refusedBy(
  why: 'quota_exceeded' | 'too_many_generations',
  allowance: Allowance,
): RefusedImage {
  if (why === 'too_many_generations')
    return { outcome: 'refused', refusal: { code: why, retryAfterS: inProgressRetryAfterS } };
  return refusedByLimit(refusalOf(allowance));
}

/** The refusal of a window, with its rate limit status. */
export function refusedByLimit(refusal: LimitRefusal): RefusedImage {
  return { outcome: 'refused', refusal, rateLimit: refusal.rateLimit };
}

/** The refusal of a counter that takes no more writes now: no rate limit status, as it is not known. */
export function refusedByThrottle(telemetry: Telemetry): RefusedImage {
  telemetry.count('meterThrottled');
  return { outcome: 'refused', refusal: throttleRefusal };
}
