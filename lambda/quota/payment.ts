/** Declares the payment of a request, and the image and day for which an account pays once. */

import type { Window } from '../base/window';
import type { RateLimitStatus, Refusal } from '../problems/problem';
import type { Unit } from './take';

/**
 * The payment of a request, as it is known now.
 * - `charged`: its units are taken.
 * - `free`: no unit is taken, for the reason that `freeReason` names.
 * - `refunded`: the units are known to be back.
 * - `unknown`: an answer of the table was lost, so a unit may be taken or not. The request is served, and
 *   nothing more is given back.
 */
export interface Payment {
  readonly state: 'charged' | 'free' | 'refunded' | 'unknown';
  readonly freeReason?: FreeReason;
  readonly units: readonly Unit[];
  /** The quota as the headers state it; `undefined` where the answer to the charge was lost. */
  readonly rateLimit: RateLimitStatus | undefined;
}

/** The reason for no charge; `paid-before`: another request of the day has paid for the image. */
export type FreeReason = 'variation' | 'alternative' | 'paid-before' | 'no-image' | 'test-value';

/** One image on one UTC day, for which an account pays once. */
export interface PaidImage {
  /** One for each account, mode, image and day: `PAID#<account>[#test]#<SHA-256>#<yyyy-mm-dd>`. */
  readonly key: string;
  /** The UTC day on which it is paid. */
  readonly day: Window;
}

/** Makes the payment of a request that costs nothing. */
export function freePayment(freeReason: FreeReason, rateLimit: RateLimitStatus | undefined): Payment {
  return { state: 'free', freeReason, units: [], rateLimit };
}

/** Whether a unit was taken, or may have been, and is not known to be back. */
export function mayStayCharged({ state }: Payment): boolean {
  return state !== 'free' && state !== 'refunded';
}

/** Completes a refusal by its payment: it says that nothing was charged only where that is known. */
export function refusalAfterPayment({ refusal, payment }: { refusal: Refusal; payment?: Payment }): Refusal {
  return payment && mayStayCharged(payment) ? { ...refusal, mayBeCharged: true } : refusal;
}

/** An error of a request that was charged before: `cause`. `payment` is what the refund has left. */
export class ErrorAfterCharge extends Error {
  override readonly name = 'ErrorAfterCharge';
  constructor(
    readonly payment: Payment,
    cause: unknown,
  ) {
    super('A request failed after it was charged', { cause });
  }
}

/** Reads the payment of a request that failed after its charge. */
export const readPaymentOfError = (error: unknown): Payment | undefined =>
  error instanceof ErrorAfterCharge ? error.payment : undefined;
