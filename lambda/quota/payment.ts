/** What a request has paid: made where the unit is taken, and carried unchanged to the answer, the headers and the usage. */

import type { RateLimitStatus } from '../problems/problem';

/**
 * What happened to the caller's quota for one request, with the rate limit status after it. An image that was served is
 * free of charge in the state `free` alone. For a refused request, `owed` says that its unit is not given back.
 */
export type Payment =
  /** A unit was taken; it is refunded when the request gets no image. */
  | { readonly state: 'charged'; readonly rateLimit: RateLimitStatus }
  | { readonly state: 'free'; readonly because: FreeBecause; readonly rateLimit: RateLimitStatus }
  | { readonly state: 'refunded'; readonly rateLimit: RateLimitStatus }
  /**
   * A unit was taken, or may have been, and stays so whatever comes of the request: it pays for a generation, its refund
   * failed, or the counter's answer was lost.
   */
  | { readonly state: 'owed'; readonly rateLimit: RateLimitStatus };

/** Why nothing was charged; `paid-before`: another request has paid for the image on the same day. */
export type FreeBecause =
  | 'variation'
  | 'alternative'
  | 'paid-before'
  | 'no-image'
  | 'test-value'
  | 'unlimited';

/** A fault after which something is known about the payment; the fault itself is its cause. */
export class FaultAfterCharge extends Error {
  override readonly name = 'FaultAfterCharge';
  constructor(
    readonly payment: Payment,
    cause: unknown,
  ) {
    super('A request failed after it was charged', { cause });
  }
}

/** The payment that a fault carries. By the name, not the class: each lazily loaded bundle has a copy of the class. */
export function paymentOf(error: unknown): Payment | undefined {
  return error instanceof Error && error.name === 'FaultAfterCharge'
    ? (error as FaultAfterCharge).payment
    : undefined;
}
