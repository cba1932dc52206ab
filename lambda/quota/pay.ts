/** Pays for an image: by a charge, or by a payment that stands already. */

import { type ConcurrencyBound, withinBound } from '../base/concurrency';
import type { ChargeRefusal, RateLimitStatus } from '../problems/problem';
import { type Charge, charge, quotaLimitOf, readLimitStatus } from './charge';
import { markClaimPaid } from './claim';
import type { PaidImage, Payment } from './payment';
import type { RequestContext } from './request-context';
import { type LimitServices, rememberedRefusalFor } from './take';

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

/** Takes a unit of each limit, unless an earlier payment stands. @throws as `charge` */
export async function pay(services: LimitServices, context: ServingContext): Promise<Charge> {
  const { earlierPayment, claimed, chargesInTurn, requestId } = context;
  if (earlierPayment) return { outcome: 'admitted', payment: earlierPayment };
  const charged = chargesInTurn
    ? await withinBound(chargesInTurn, () => charge(services, context))
    : await charge(services, context);
  // At once, as other requests for the image wait for that.
  if (claimed && charged.outcome === 'admitted') await markClaimPaid(services, claimed, requestId);
  return charged;
}

/** The refusal of a charge that this instance remembers; makes no call. */
export function rememberedRefusal(
  services: LimitServices,
  { earlierPayment, requestLimits }: ServingContext,
): ChargeRefusal | undefined {
  return earlierPayment ? undefined : rememberedRefusalFor(services, requestLimits);
}

/** The rate limit status before a charge: one read, none without a limit or after an earlier payment. */
export async function readStatus(
  services: LimitServices,
  { earlierPayment, requestLimits }: ServingContext,
): Promise<RateLimitStatus> {
  return earlierPayment?.rateLimit ?? readLimitStatus(services, quotaLimitOf(requestLimits));
}
