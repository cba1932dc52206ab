/** Pays for the images of signed URLs and site keys: once a UTC day, by the request that claims the image. */

import { withClosingTime } from '../base/deadline';
import type { KeyedCaller } from '../credentials/caller';
import type { Answer, RefusedAnswer } from '../images/answer';
import { paidImageWorkOf } from '../quota/caller-limits';
import { quotaLimitOf } from '../quota/charge';
import { type ClaimServices, giveUpClaim, markClaimPaid, paidImageOf, takeTurn } from '../quota/claim';
import { rateLimitStatusOf } from '../quota/limit';
import { freePayment, type PaidImage, type Payment, paymentOf, staysCharged } from '../quota/payment';
import { type RequestContext, settledPaymentOf } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';

/**
 * Decides what pays for an image of a page: the request itself, which then has the claim that `serveAndSettle`
 * ends, or another request of the day.
 * @returns the context in which the image is served
 * @throws when the mark cannot be read or claimed
 */
export async function claimForDay(
  services: ClaimServices,
  caller: KeyedCaller,
  request: ImageRequest,
  context: RequestContext,
): Promise<RequestContext | RefusedAnswer> {
  const { clock, telemetry, paidToday } = services;
  const settled = settledPaymentOf(context);
  // What is free by itself, such as a test value, is claimed by nobody.
  if (settled && !staysCharged(settled)) return context;
  const account = quotaLimitOf(context.requestLimits);
  const image = paidImageOf(caller, request, account, clock.nowMs());
  const turn = paidToday.get(image.key, clock.nowMs()) ? 'paid' : await takeTurn(services, image, context);
  if (typeof turn === 'object') return { outcome: 'refused', refusal: turn };
  if (turn === 'mine' && settled) {
    // An AI image in place of a stock image whose refund failed is paid by that charge.
    await markClaimPaid(services, image, context.requestId);
    rememberPaid(services, image, settled);
    return context;
  }
  if (turn === 'mine') return { ...context, pays: { kind: 'charge', claimed: image } };
  telemetry.count('paidImages', { outcome: turn === 'paid' ? 'free' : 'unknown' });
  // `used` is 0, not read: a published caller is shown no rate limit.
  const payment = freePayment('paid-before', rateLimitStatusOf(account, 0));
  // One unit pays for any number of views, but not for any number of sizes and formats.
  const workLimits = [paidImageWorkOf(caller, image.key, clock.nowMs())];
  return { ...context, pays: { kind: 'settled', payment }, workLimits };
}

/**
 * Serves a request, and ends its claim: where something stays charged, the image is paid for its day;
 * otherwise the claim is given up, so that the next request pays.
 * @throws what `serve` throws, after that
 */
export async function serveAndSettle(
  services: ClaimServices,
  { pays, requestId }: RequestContext,
  serve: () => Promise<Answer>,
): Promise<Answer> {
  const image = pays.kind === 'charge' ? pays.claimed : undefined;
  if (!image) return serve();
  const settle = async (payment: Payment | undefined) => {
    if (payment && staysCharged(payment)) rememberPaid(services, image, payment);
    else await giveUpClaim(withClosingTime(services), image, requestId);
  };
  const answer = await serve().catch(async (error: unknown) => {
    await settle(paymentOf(error));
    throw error;
  });
  await settle(answer.payment);
  // The card of an image that is gone costs nothing, and its page may have many visitors.
  if (answer.outcome === 'served' && answer.payment.because === 'no-image')
    services.paidToday.set(image.key, true, services.clock.nowMs() + cardRememberedMs);
  return answer;
}

function rememberPaid({ telemetry, paidToday }: ClaimServices, image: PaidImage, { state }: Payment): void {
  telemetry.count('paidImages', { outcome: state === 'charged' ? 'charged' : 'unknown' });
  paidToday.set(image.key, true, image.day.endsMs);
}

/** Time for which the card of a gone image is free without another charge and refund, in milliseconds. */
const cardRememberedMs = 3_600_000;
