/** Serves an image that a page shows by a signed URL or a site key: its account pays for it once a UTC day. */

import { closing } from '../base/deadline';
import { orLogged } from '../base/or-logged';
import type { KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { paidImageWorkOf } from '../quota/caller-limits';
import { accountLimit, refund } from '../quota/charge';
import { notePaid, paidImageOf, type TurnServices, takeTurn, unclaim } from '../quota/claim';
import { rateLimitStatusOf } from '../quota/limit';
import { freePayment, isKept, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';

/**
 * Has an image served for a caller with a signer or site key: by the request that claims its day, which is charged, or
 * for nothing where another has paid. A request whose charge comes to nothing gives its claim up, so that the next one
 * pays.
 * @param serve serves the image in a context that says what pays for it
 * @throws as `serve` does, and when the mark cannot be read or claimed
 */
export async function payOnce(
  services: TurnServices,
  caller: KeyedCaller,
  request: ImageRequest,
  context: RequestContext,
  serve: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const { clock, telemetry, paidToday } = services;
  const account = accountLimit(context.requestLimits);
  const image = paidImageOf(caller, request, account, clock.nowMs());
  const turn = paidToday.get(image.key, clock.nowMs()) ? 'paid' : await takeTurn(services, image, context);
  if (typeof turn === 'object') return { outcome: 'refused', refusal: turn };
  if (turn !== 'mine') {
    telemetry.count('paidImages', { outcome: turn === 'paid' ? 'free' : 'unknown' });
    // Nobody is told it: the visitors of a page see no quota of its account.
    const payment = freePayment('paid-before', rateLimitStatusOf(account, 0));
    // What one unit has paid for is delivered as often as it is viewed, and made in so many sizes and formats.
    const workLimits = [paidImageWorkOf(caller, image.key, clock.nowMs())];
    return serve({ ...context, payment, workLimits });
  }
  let payment: Payment | undefined;
  const onCharged = async (made: Payment) => {
    payment = made;
    await orLogged(telemetry, 'A paid image was not marked', () =>
      notePaid(services, image, context.requestId),
    );
  };
  // What an earlier part of the request has paid, and not got back.
  if (context.payment && isKept(context.payment)) await onCharged(context.payment);
  let isServed = false;
  try {
    const answer = await serve({ ...context, onCharged });
    isServed = answer.outcome === 'served';
    // The card of an image that is gone costs nothing, and its page may have many visitors.
    if (isServed && answer.payment?.because === 'no-image')
      paidToday.set(image.key, true, clock.nowMs() + cardRememberedMs);
    return answer;
  } finally {
    if (payment && !isServed) await refund(services, payment);
    // What it has paid stays; or its claim is given up, once it is known that nothing does.
    if (payment && payment.state !== 'refunded') {
      telemetry.count('paidImages', { outcome: payment.state === 'charged' ? 'charged' : 'unknown' });
      paidToday.set(image.key, true, image.day.endMs);
    } else {
      const giveUp = () => unclaim(closing(services), image, context.requestId);
      await orLogged(telemetry, 'A claim was not given up', giveUp);
    }
  }
}

/** How long a card is given out without asking again what it costs, in milliseconds. */
const cardRememberedMs = 3_600_000;
