/** Declares what a request is served with beside its parameters: its limits and what pays for it. */

import type { ConcurrencyBound } from '../base/concurrency';
import type { Plans } from '../contract/plans';
import type { AccountId, Caller } from '../credentials/caller';
import type { RenditionFormat } from '../requests/rendition';
import { requestLimitsOf, workLimitsOf } from './caller-limits';
import type { Limit } from './limit';
import { mayStayCharged, type PaidImage, type Payment } from './payment';

/** The images that a page shows, none twice. */
export interface PageReservations {
  /** Lets the images of the page be charged one at a time, in their order. */
  readonly charging: ConcurrencyBound;
  /** Reserves an image before it is rendered; false where another place of the page shows it. */
  reserve(pick: string): Promise<boolean>;
}

/** The context of a request. */
export interface RequestContext {
  readonly requestId: string;
  readonly format: RenditionFormat;
  /** The limits an image is charged to: those of the credential, then the account's plan or the address. */
  readonly requestLimits: readonly [...Limit[], Limit];
  /** The limits of searches, new renditions and free deliveries. */
  readonly workLimits: readonly Limit[];
  /** Absent for callers without a key. */
  readonly account?: AccountId;
  /**
   * The payment that stands before the image is served, so that no unit is taken and no search counted. Set by
   * test values (free), `claimForDay` (free, as another request has paid) and `contextAfterMiss` (the charge of
   * a missed image that could not be refunded). Absent where a charge is due.
   */
  readonly settledPayment?: Payment;
  /** The image and day that the request has claimed, and marks as paid once it is charged. */
  readonly claimed?: PaidImage;
  /** The page of a batch that shows the image. */
  readonly page?: PageReservations;
}

/**
 * Lists the limits of a caller at a moment.
 * @param ipHash of the client's IP address; read for anonymous callers and site keys
 */
export function limitsOfCaller(
  caller: Caller,
  ipHash: string,
  plans: Plans,
  nowMs: number,
): Pick<RequestContext, 'requestLimits' | 'workLimits' | 'account'> {
  return {
    requestLimits: requestLimitsOf(caller, ipHash, plans, nowMs),
    workLimits: workLimitsOf(caller, ipHash, nowMs),
    ...(caller.kind !== 'anonymous' && { account: caller.account }),
  };
}

/** Makes the context in which another image replaces a missed one, paid by a charge whose refund failed. */
export function contextAfterMiss(
  { payment }: { readonly payment?: Payment },
  context: RequestContext,
): RequestContext {
  return payment && mayStayCharged(payment) ? { ...context, settledPayment: payment } : context;
}
