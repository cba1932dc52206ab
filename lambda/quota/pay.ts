/** Pays for an image, by a charge or by a payment that stands already, and refunds what gets no image. */

import { type ConcurrencyBound, withinBound } from '../base/concurrency';
import type { RateLimitStatus } from '../problems/problem';
import type { Answer, UnpaidAnswer } from './answer';
import { type Charge, charge, quotaLimitOf, readLimitStatus, refund } from './charge';
import { markClaimPaid } from './claim';
import { ErrorAfterCharge, freePayment, type PaidImage, type Payment } from './payment';
import type { RequestContext } from './request-context';
import type { LimitServices } from './take';

/** The context in which an image is served: that of its request, and what pays for it. */
export interface ServingContext extends RequestContext {
  /**
   * A payment that stands before the image is served: an earlier charge, or none for a free image. No unit is
   * taken then, and no search is counted. Absent where a charge is due.
   */
  readonly earlierPayment?: Payment;
  /** The image and day that the request has claimed, and marks as paid once it is charged. */
  readonly claimed?: PaidImage;
  /** Lets the images of a batch be charged one at a time, in their order. */
  readonly chargesInTurn?: ConcurrencyBound;
}

/**
 * Takes a unit of each limit, unless an earlier payment stands. A claimed image is then marked as paid.
 * @throws as `charge`
 */
export async function pay(services: LimitServices, context: ServingContext): Promise<Charge> {
  const { earlierPayment, claimed, chargesInTurn, requestId } = context;
  if (earlierPayment) return { outcome: 'admitted', payment: earlierPayment };
  const admission = chargesInTurn
    ? await withinBound(chargesInTurn, () => charge(services, context))
    : await charge(services, context);
  // At once, as other requests for the image wait for that.
  if (claimed && admission.outcome === 'admitted') await markClaimPaid(services, claimed, requestId);
  return admission;
}

/**
 * Awaits the answer to an admitted request, and refunds it if there is no image.
 * @throws `ErrorAfterCharge` when the answer rejects, after the refund
 */
export async function refundUnlessServed(
  services: LimitServices,
  payment: Payment,
  answering: Promise<UnpaidAnswer>,
): Promise<Answer> {
  const answer = await answering.catch(async (error: unknown) => {
    throw new ErrorAfterCharge(await refund(services, payment), error);
  });
  if (answer.outcome === 'served' && answer.image.fallback !== 'gone') return { ...answer, payment };
  const refunded = await refund(services, payment);
  if (answer.outcome === 'refused') return { ...answer, payment: refunded };
  // The card for an image that is gone is served, and costs nothing.
  const isFree = refunded.state === 'refunded';
  return { ...answer, payment: isFree ? freePayment('no-image', refunded.rateLimit) : refunded };
}

/** The rate limit status before a charge: one read, none without a limit or after an earlier payment. */
export async function readStatus(
  services: LimitServices,
  { earlierPayment, requestLimits }: ServingContext,
): Promise<RateLimitStatus> {
  return earlierPayment?.rateLimit ?? readLimitStatus(services, quotaLimitOf(requestLimits));
}
