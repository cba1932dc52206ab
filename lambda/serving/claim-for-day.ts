/** Claims each image of a signed URL or site key for a UTC day, so that one request is charged for it. */

import { addClosingTime } from '../base/deadline';
import { hasPublishedCredential, type KeyedCaller } from '../credentials/caller';
import type { RefusedAnswer } from '../quota/answer';
import { paidImageWorkOf, quotaLimitOf } from '../quota/caller-limits';
import { type ClaimServices, claimOrWait, giveUpClaim, markClaimPaid, paidImageOf } from '../quota/claim';
import { rateLimitStatusOf } from '../quota/limit';
import { freePayment, mayStayCharged, type PaidImage, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';

/** Time for which the card of a gone image is free without another charge and refund, in milliseconds. */
const cardTtlMs = 3_600_000;

/**
 * Claims the image of a signer or site key for the day: this request is charged, unless another has paid. For
 * an API key, whose every request is charged, nothing is claimed.
 * @returns the context in which the image is served
 * @throws when the mark cannot be read or claimed
 */
export async function claimForDay(
  services: ClaimServices,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<RequestContext | RefusedAnswer> {
  const { settledPayment, requestId } = context;
  // The free image of a test value is claimed by nobody.
  const isFree = settledPayment !== undefined && !mayStayCharged(settledPayment);
  if (isFree || !hasPublishedCredential(caller)) return context;
  const quota = quotaLimitOf(context.requestLimits);
  const nowMs = services.clock.nowMs();
  const image = paidImageOf(caller, request, quota, nowMs);
  const claim = await claimOrWait(services, image, context);
  if (claim.outcome === 'refused') return claim;
  if (claim.outcome === 'claimed') {
    if (!settledPayment) return { ...context, claimed: image };
    // An AI image in place of a stock image whose refund failed is paid by that charge.
    await markClaimPaid(services, image, requestId);
    rememberPaid(services, image, settledPayment);
    return context;
  }
  services.telemetry.count('paidImages', { outcome: claim.outcome === 'paid' ? 'free' : 'unknown' });
  // `used` is 0, not read: a caller of a page is shown no rate limit.
  const payment = freePayment('paid-before', rateLimitStatusOf(quota, 0));
  // One unit pays for any number of views, but not for any number of sizes and formats.
  const workLimits = [paidImageWorkOf(caller, image.key, nowMs)];
  return { ...context, settledPayment: payment, workLimits };
}

/**
 * Ends the claim of a request, if it has one. Where something stays charged, the image is paid for its day;
 * otherwise the claim is given up, so that the next request pays.
 */
export async function endClaim(
  services: ClaimServices,
  { claimed, requestId }: RequestContext,
  payment: Payment | undefined,
  isServed = false,
): Promise<void> {
  if (!claimed) return;
  if (payment && mayStayCharged(payment)) return rememberPaid(services, claimed, payment);
  await giveUpClaim(addClosingTime(services), claimed, requestId);
  // The card of an image that is gone costs nothing, and its page may have many visitors.
  if (isServed && payment?.freeReason === 'no-image')
    services.paidToday.set(claimed.key, true, services.clock.nowMs() + cardTtlMs);
}

function rememberPaid({ telemetry, paidToday }: ClaimServices, image: PaidImage, { state }: Payment): void {
  telemetry.count('paidImages', { outcome: state === 'charged' ? 'charged' : 'unknown' });
  paidToday.set(image.key, true, image.day.endsMs);
}
