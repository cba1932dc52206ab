/** Claims the image of a signed URL or site key for a UTC day. One request a day is charged for the image. */

import { addClosingTime } from '../base/deadline';
import { hasPublishedCredential } from '../credentials/caller';
import type { RefusedOutcome } from '../images/image-outcome';
import { getQuotaLimit, makePaidImageLimit } from '../quota/caller-limits';
import {
  type ClaimServices,
  claimImage,
  giveUpClaim,
  identifyPaidImage,
  markClaimPaid,
} from '../quota/claim';
import { computeRateLimitStatus, type Limit } from '../quota/limit';
import { makeFreePayment, mayStayCharged, type PaidImage, type Payment } from '../quota/payment';
import type { CallerRequest } from './request-context';

/** For this long, the card of a gone image is shown again without a charge and a refund, in milliseconds. */
const cardTtlMs = 3_600_000;

/** The result of a claim: how the image is paid. It is known before the image is looked for. */
export interface Claim {
  /** A payment from before this claim. With it, the request is not charged, and its search takes no work. */
  readonly priorPayment?: Payment | undefined;
  /** The image and day that this request claimed. The request marks it as paid once it is charged. */
  readonly claimedImage?: PaidImage;
  /** The limits of the work for the image. */
  readonly workLimits: readonly Limit[];
}

/** A request with its claim. */
export interface ClaimedRequest extends CallerRequest {
  readonly claim: Claim;
}

/**
 * Claims the image of a signer or site key for the day. This request is charged, unless another one has paid.
 * Nothing is claimed for an API key, because each of its requests is charged.
 * @param priorPayment of a test value, or of a missed image that this image replaces
 * @throws when the mark cannot be read or claimed
 */
export async function claimForDay(
  services: ClaimServices,
  { request, caller, context }: CallerRequest,
  priorPayment?: Payment,
): Promise<Claim | RefusedOutcome> {
  const { requestId, requestLimits, workLimits } = context;
  // Test values are free, so nothing is claimed for them.
  const isFree = priorPayment !== undefined && !mayStayCharged(priorPayment);
  if (isFree || !hasPublishedCredential(caller) || 'imageId' in request) return { priorPayment, workLimits };
  const quota = getQuotaLimit(requestLimits);
  const nowMs = services.clock.nowMs();
  const image = identifyPaidImage(caller, request, quota, nowMs);
  const claim = await claimImage(services, image, context);
  if (claim.outcome === 'refused') return claim;
  if (claim.outcome === 'claimed') {
    if (!priorPayment) return { claimedImage: image, workLimits };
    // This AI image replaces a stock image whose refund failed. That charge pays for the AI image.
    await markClaimPaid(services, image, requestId);
    rememberPaid(services, image, priorPayment);
    return { priorPayment, workLimits };
  }
  services.telemetry.count('paidImages', { outcome: claim.outcome === 'paid' ? 'free' : 'unknown' });
  return {
    // A stock image may stay charged. Otherwise, visitors of a page see no rate limit, so the count is not read.
    priorPayment: priorPayment ?? makeFreePayment('paid-before', computeRateLimitStatus(quota, 0)),
    // One unit pays for any number of views, but only for some sizes and formats.
    workLimits: [makePaidImageLimit(caller, image.key, nowMs)],
  };
}

/**
 * Ends the claim of a request, if it has one. If something stays charged, the image is paid for its day.
 * Otherwise the claim is given up, and the next request pays. Never throws.
 * @param payment after the refund
 */
export async function endClaim(
  services: ClaimServices,
  { claim: { claimedImage }, context }: Pick<ClaimedRequest, 'claim' | 'context'>,
  payment: Payment | undefined,
  isServed = false,
): Promise<void> {
  if (!claimedImage) return;
  if (payment && mayStayCharged(payment)) return rememberPaid(services, claimedImage, payment);
  await giveUpClaim(addClosingTime(services), claimedImage, context.requestId);
  // The card of a gone image costs nothing, and many visitors may load it.
  if (isServed && payment?.freeReason === 'no-image')
    services.freeImages.set(claimedImage.key, true, services.clock.nowMs() + cardTtlMs);
}

function rememberPaid({ telemetry, freeImages }: ClaimServices, image: PaidImage, { state }: Payment): void {
  telemetry.count('paidImages', { outcome: state === 'charged' ? 'charged' : 'unknown' });
  freeImages.set(image.key, true, image.day.endsMs);
}
