/** What a request has paid: made where its units are taken, and carried to the answer, the headers and the usage. */

import type { Window } from '../base/window';
import type { RateLimitStatus } from '../problems/problem';
import type { Unit } from './take';

/**
 * `charged`: the units are taken. `free`: none are, for the reason that `because` names. `refunding`: their return has
 * been sent, and is sent no second time. `refunded`: they are known to be back. `unknown`: a unit may or may not have been
 * taken or given back; the request is served, nothing more is given back, and a metric counts it.
 */
export interface Payment {
  state: 'charged' | 'free' | 'refunding' | 'refunded' | 'unknown';
  readonly because?: FreeBecause;
  readonly units: readonly Unit[];
  /** What the headers say of the caller's quota; one unit more after a refund. */
  rateLimit: RateLimitStatus;
}

/** Why nothing is charged; `paid-before`: another request of the day has paid for the image. */
export type FreeBecause =
  | 'variation'
  | 'alternative'
  | 'paid-before'
  | 'no-image'
  | 'test-value'
  | 'unlimited';

/** One image of one account on one UTC day, for which its account pays once. */
export interface PaidImage {
  /** One for each account, mode, image and day: `PAID#<account>[#test]#<SHA-256>#<yyyy-mm-dd>`. */
  readonly key: string;
  /** The UTC day on which it is paid. */
  readonly day: Window;
}

/** The claim of a request that pays for an image and day. */
export interface Claim {
  readonly image: PaidImage;
  readonly requestId: string;
  /** What pays for the image; absent until the request is charged. */
  payment?: Payment;
}

/** A request that costs nothing. @param rateLimit what the headers say of the caller's quota */
export function freePayment(because: FreeBecause, rateLimit: RateLimitStatus): Payment {
  return { state: 'free', because, units: [], rateLimit };
}

/** Whether a unit was taken, or may have been, and is not known to be back. */
export function isKept({ state }: Payment): boolean {
  return state !== 'free' && state !== 'refunded';
}

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

/** The payment that a fault carries. */
export const paymentOf = (error: unknown): Payment | undefined =>
  error instanceof FaultAfterCharge ? error.payment : undefined;
