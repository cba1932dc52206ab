/** Serves the images of signed URLs and site keys, for which an account pays once a UTC day. */

import { closing } from '../base/deadline';
import { orLogged } from '../base/or-logged';
import type { KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { paidImageWorkOf } from '../quota/caller-limits';
import { refund, statedLimit } from '../quota/charge';
import { type ClaimServices, paidImageOf, payClaim, takeTurn, unclaim } from '../quota/claim';
import { rateLimitStatusOf } from '../quota/limit';
import { type Claim, freePayment, isKept, type PaidImage } from '../quota/payment';
import { type RequestContext, settledPaymentOf } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';

/**
 * Serves an image for a signer or site key: charged to the request that claims the image and day, free where
 * another request has paid. A request whose charge is refunded gives its claim up, so that the next one pays.
 * @param serve serves the image in a context that says what pays for it
 * @throws as `serve` does, and when the mark cannot be read or claimed
 */
export async function payOnce(
  services: ClaimServices,
  caller: KeyedCaller,
  request: ImageRequest,
  context: RequestContext,
  serve: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const { clock, telemetry, paidToday } = services;
  const account = statedLimit(context.requestLimits);
  const image = paidImageOf(caller, request, account, clock.nowMs());
  const turn = paidToday.get(image.key, clock.nowMs()) ? 'paid' : await takeTurn(services, image, context);
  if (typeof turn === 'object') return { outcome: 'refused', refusal: turn };
  if (turn === 'mine') return serveClaimed(services, image, context, serve);
  telemetry.count('paidImages', { outcome: turn === 'paid' ? 'free' : 'unknown' });
  // `used` is 0, not read: a published caller is shown no rate limit.
  const payment = freePayment('paid-before', rateLimitStatusOf(account, 0));
  // One unit pays for any number of views, but not for any number of sizes and formats.
  const workLimits = [paidImageWorkOf(caller, image.key, clock.nowMs())];
  return serve({ ...context, pays: { kind: 'settled', payment }, workLimits });
}

/** Serves an image that the request has claimed, and gives the claim up where nothing stays charged. */
async function serveClaimed(
  services: ClaimServices,
  image: PaidImage,
  context: RequestContext,
  serve: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const { clock, telemetry, paidToday } = services;
  const claim: Claim = { image, requestId: context.requestId };
  // An AI image in place of a stock image whose refund failed is paid by that charge.
  const settled = settledPaymentOf(context);
  if (settled && isKept(settled)) await payClaim(services, claim, settled);
  let isServed = false;
  try {
    const answer = await serve(settled ? context : { ...context, pays: { kind: 'charge', claim } });
    isServed = answer.outcome === 'served';
    // The card of an image that is gone costs nothing, and its page may have many visitors.
    if (isServed && answer.payment?.because === 'no-image')
      paidToday.set(image.key, true, clock.nowMs() + cardRememberedMs);
    return answer;
  } finally {
    const { payment } = claim;
    if (payment && !isServed) await refund(services, payment);
    if (payment && payment.state !== 'refunded') {
      telemetry.count('paidImages', { outcome: payment.state === 'charged' ? 'charged' : 'unknown' });
      paidToday.set(image.key, true, image.day.endsMs);
    } else {
      await orLogged(telemetry, 'A claim was not given up', () => unclaim(closing(services), claim));
    }
  }
}

/** Time for which the card of a gone image is free without another charge and refund, in milliseconds. */
const cardRememberedMs = 3_600_000;
