/** Claims each image of a signed URL or site key for a UTC day, so that one request is charged for it. */

import { addClosingTime } from '../base/deadline';
import { type Caller, hasPublishedCredential } from '../credentials/caller';
import { createPaidImageLimit, pickQuotaLimit } from '../quota/caller-limits';
import {
  type ClaimServices,
  claimOrWait,
  giveUpClaim,
  identifyPaidImage,
  markClaimPaid,
} from '../quota/claim';
import { computeRateLimitStatus, type Limit } from '../quota/limit';
import { freePayment, mayStayCharged, type PaidImage, type Payment } from '../quota/payment';
import type { ImageRequest, PermalinkRequest } from '../requests/image-request';
import type { RefusedAnswer } from './answer';
import type { RequestContext } from './request-context';

/** Time for which the card of a gone image is free without another charge and refund, in milliseconds. */
const cardTtlMs = 3_600_000;

/** What is known of the payment of an image before it is looked for. */
export interface Claim {
  /** The payment that stands already, so that nothing is charged, and no search counted. */
  readonly payment?: Payment | undefined;
  /** The image and day that this request has claimed, and marks as paid once it is charged. */
  readonly claimedImage?: PaidImage;
  /** The limits of the work for the image. */
  readonly workLimits: readonly Limit[];
}

/**
 * Claims the image of a signer or site key for the day: this request is charged, unless another has paid. For
 * an API key, whose every request is charged, nothing is claimed.
 * @param payment that of a test value, or of a missed image that this one replaces
 * @throws when the mark cannot be read or claimed
 */
export async function claimForDay(
  services: ClaimServices,
  request: ImageRequest | PermalinkRequest,
  caller: Caller,
  context: RequestContext,
  payment?: Payment,
): Promise<Claim | RefusedAnswer> {
  const { requestId, requestLimits, workLimits } = context;
  // The free image of a test value is claimed by nobody.
  const isFree = payment !== undefined && !mayStayCharged(payment);
  if (isFree || !hasPublishedCredential(caller) || 'imageId' in request) return { payment, workLimits };
  const quota = pickQuotaLimit(requestLimits);
  const nowMs = services.clock.nowMs();
  const image = identifyPaidImage(caller, request, quota, nowMs);
  const claim = await claimOrWait(services, image, context);
  if (claim.outcome === 'refused') return claim;
  if (claim.outcome === 'claimed') {
    if (!payment) return { claimedImage: image, workLimits };
    // An AI image in place of a stock image whose refund failed is paid by that charge.
    await markClaimPaid(services, image, requestId);
    rememberPaid(services, image, payment);
    return { payment, workLimits };
  }
  services.telemetry.count('paidImages', { outcome: claim.outcome === 'paid' ? 'free' : 'unknown' });
  return {
    // `used` is 0, not read: a caller of a page is shown no rate limit.
    payment: freePayment('paid-before', computeRateLimitStatus(quota, 0)),
    // One unit pays for any number of views, but not for any number of sizes and formats.
    workLimits: [createPaidImageLimit(caller, image.key, nowMs)],
  };
}

/**
 * Ends the claim of a request, if it has one. Where something stays charged, the image is paid for its day;
 * otherwise the claim is given up, so that the next request pays.
 */
export async function endClaim(
  services: ClaimServices,
  { claimedImage }: Claim,
  requestId: string,
  payment: Payment | undefined,
  isServed = false,
): Promise<void> {
  if (!claimedImage) return;
  if (payment && mayStayCharged(payment)) return rememberPaid(services, claimedImage, payment);
  await giveUpClaim(addClosingTime(services), claimedImage, requestId);
  // The card of an image that is gone costs nothing, and its page may have many visitors.
  if (isServed && payment?.freeReason === 'no-image')
    services.paidToday.set(claimedImage.key, true, services.clock.nowMs() + cardTtlMs);
}

function rememberPaid({ telemetry, paidToday }: ClaimServices, image: PaidImage, { state }: Payment): void {
  telemetry.count('paidImages', { outcome: state === 'charged' ? 'charged' : 'unknown' });
  paidToday.set(image.key, true, image.day.endsMs);
}
