/** Pays for the images of signed URLs and site keys: once a UTC day, by the request that claims the image. */

import { withClosingTime } from '../base/deadline';
import { isOfPage, type KeyedCaller } from '../credentials/caller';
import type { Answer } from '../quota/answer';
import { paidImageWorkOf, quotaLimitOf } from '../quota/caller-limits';
import { type ClaimServices, claimOrWait, giveUpClaim, markClaimPaid, paidImageOf } from '../quota/claim';
import { rateLimitStatusOf } from '../quota/limit';
import { freePayment, type PaidImage, type Payment, paymentAfter, staysCharged } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';

/**
 * Serves an image: an API key pays for each request. For a signer or site key the image is charged to this
 * request where that claims it, and free where another request of the day has paid.
 * @param serve serves the image and pays for it, in the context that it is given
 * @throws when the mark cannot be read or claimed; what `serve` throws, after the claim has ended
 */
export async function servePaidOnce(
  services: ClaimServices,
  caller: KeyedCaller,
  request: ImageRequest,
  context: RequestContext,
  serve: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const { earlierPayment } = context;
  // A free image, such as that of a test value, is claimed by nobody.
  const isFree = earlierPayment && !staysCharged(earlierPayment);
  if (isFree || !isOfPage(caller)) return serve(context);
  const quota = quotaLimitOf(context.requestLimits);
  const nowMs = services.clock.nowMs();
  const image = paidImageOf(caller, request, quota, nowMs);
  const claim = await claimOrWait(services, image, context);
  if (claim.outcome === 'refused') return claim;
  if (claim.outcome === 'claimed') {
    if (!earlierPayment) return serveClaimed(services, image, context, serve);
    // An AI image in place of a stock image whose refund failed is paid by that charge.
    await markClaimPaid(services, image, context.requestId);
    rememberPaid(services, image, earlierPayment);
    return serve(context);
  }
  services.telemetry.count('paidImages', { outcome: claim.outcome === 'paid' ? 'free' : 'unknown' });
  // `used` is 0, not read: a published caller is shown no rate limit.
  const payment = freePayment('paid-before', rateLimitStatusOf(quota, 0));
  // One unit pays for any number of views, but not for any number of sizes and formats.
  const workLimits = [paidImageWorkOf(caller, image.key, nowMs)];
  return serve({ ...context, earlierPayment: payment, workLimits });
}

/**
 * Serves an image that the request has claimed. Where something stays charged, the image is paid for its day;
 * otherwise the claim is given up, so that the next request pays.
 */
async function serveClaimed(
  services: ClaimServices,
  image: PaidImage,
  context: RequestContext,
  serve: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const endClaim = async (payment: Payment | undefined) => {
    if (payment && staysCharged(payment)) rememberPaid(services, image, payment);
    else await giveUpClaim(withClosingTime(services), image, context.requestId);
  };
  const answer = await serve({ ...context, claimed: image }).catch(async (error: unknown) => {
    await endClaim(paymentAfter(error));
    throw error;
  });
  await endClaim(answer.payment);
  // The card of an image that is gone costs nothing, and its page may have many visitors.
  if (answer.outcome === 'served' && answer.payment.freeReason === 'no-image')
    services.paidToday.set(image.key, true, services.clock.nowMs() + cardTtlMs);
  return answer;
}

function rememberPaid({ telemetry, paidToday }: ClaimServices, image: PaidImage, { state }: Payment): void {
  telemetry.count('paidImages', { outcome: state === 'charged' ? 'charged' : 'unknown' });
  paidToday.set(image.key, true, image.day.endsMs);
}

/** Time for which the card of a gone image is free without another charge and refund, in milliseconds. */
const cardTtlMs = 3_600_000;
