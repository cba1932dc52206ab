/** Describes the payment of a request, and the image and day for which an account pays once. */

import type { Window } from '../base/window';
import type { RateLimitStatus, Refusal } from '../problems/problem';
import type { Unit } from './take';

/**
 * The payment of a request, as far as it is known now.
 * - `charged`: the request was charged.
 * - `free`: the request is not charged. `freeReason` names the reason.
 * - `refunded`: the charge was given back.
 * - `unknown`: an answer of the table was lost, so the request may be charged. It is served, and nothing more is
 *   given back.
 */
export interface Payment {
  readonly state: 'charged' | 'free' | 'refunded' | 'unknown';
  readonly freeReason?: FreeReason;
  /** The units that were taken. A free payment has units of `work` only. */
  readonly units: readonly Unit[];
  /** The quota that the headers state. It is `undefined` if the answer to the charge was lost. */
  readonly rateLimit: RateLimitStatus | undefined;
}

/** The reason for no charge. `paid-before`: an earlier request of the day paid for the image. */
export type FreeReason = 'variation' | 'alternative' | 'paid-before' | 'no-image' | 'test-value';

/** One image on one UTC day, for which an account pays once. */
export interface PaidImage {
  /** `PAID#<account>[#test]#<SHA-256>#<yyyy-mm-dd>` */
  readonly key: string;
  /** The UTC day on which it is paid. */
  readonly day: Window;
}

/** Makes a free payment that has taken no unit. */
export function makeFreePayment(freeReason: FreeReason, rateLimit: RateLimitStatus | undefined): Payment {
  return { state: 'free', freeReason, units: [], rateLimit };
}

/** Returns true unless it is known that nothing is charged. */
export function mayStayCharged({ state }: Payment): boolean {
  return state !== 'free' && state !== 'refunded';
}

/** Adds to a refusal that the request may be charged, unless it is known that it is not. */
export function addPaymentToRefusal({ refusal, payment }: { refusal: Refusal; payment?: Payment }): Refusal {
  return payment && mayStayCharged(payment) ? { ...refusal, mayBeCharged: true } : refusal;
}

/** The error of a request that failed after its charge. `cause` is the original error. */
export class ErrorAfterCharge extends Error {
  override readonly name = 'ErrorAfterCharge';
  /** @param payment after the refund */
  constructor(
    readonly payment: Payment,
    cause: unknown,
  ) {
    super('A request failed after it was charged', { cause });
  }
}

/** Finds the payment after the refund in an error. Returns `undefined` for an error before a charge. */
export const findPaymentOfError = (error: unknown): Payment | undefined =>
  error instanceof ErrorAfterCharge ? error.payment : undefined;
