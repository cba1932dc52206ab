/** Pays for images: serving makes a payer for each image, and what finds or makes the image uses it. */

import type { ChargeRefusal, RateLimitStatus } from '../problems/problem';
import { type Charge, charge, quotaLimitOf, readLimitStatus } from './charge';
import { markClaimPaid } from './claim';
import type { Limit } from './limit';
import type { PaidImage, Payment } from './payment';
import type { RequestContext } from './request-context';
import { type LimitServices, rememberedRefusalFor } from './take';

/** Pays for one image. A payer never changes. */
export interface Payer {
  /**
   * The payment that stands before the image is served: an earlier charge, or none for a free image. No unit is
   * taken then, and no search is counted. Absent where a charge is due.
   */
  readonly settled?: Payment;
  /** The limits of searches, new renditions and free deliveries for the image. */
  readonly workLimits: readonly Limit[];
  /** The refusal that this instance remembers, without a call; a settled payer has none. */
  rememberedRefusal(): ChargeRefusal | undefined;
  /** Takes a unit of each limit, or returns the settled payment. @throws as `charge` */
  charge(): Promise<Charge>;
  /** The rate limit status before a charge: one read, none without a limit or of a settled payer. */
  readStatus(): Promise<RateLimitStatus>;
}

/** The context in which an image is served. The payer has the limits of its work. */
export interface ServingContext extends Omit<RequestContext, 'workLimits'> {
  readonly payer: Payer;
}

/** A payer whose charge is due. */
export function createPayer(services: LimitServices, context: Omit<RequestContext, 'format'>): Payer {
  const { requestLimits, workLimits } = context;
  return {
    workLimits,
    rememberedRefusal: () => rememberedRefusalFor(services, requestLimits),
    charge: () => charge(services, context),
    readStatus: () => readLimitStatus(services, quotaLimitOf(requestLimits)),
  };
}

/** A payer whose charge marks a claimed image as paid at once, as other requests for the image wait. */
export function claimingPayer(
  services: LimitServices,
  payer: Payer,
  image: PaidImage,
  requestId: string,
): Payer {
  return {
    ...payer,
    async charge() {
      const charged = await payer.charge();
      if (charged.outcome === 'admitted') await markClaimPaid(services, image, requestId);
      return charged;
    },
  };
}

/** A payer for a free image, or one that an earlier charge has paid for. */
export function settledPayer(settled: Payment, workLimits: readonly Limit[]): Payer {
  return {
    settled,
    workLimits,
    rememberedRefusal: () => undefined,
    charge: async () => ({ outcome: 'admitted', payment: settled }),
    readStatus: async () => settled.rateLimit,
  };
}
