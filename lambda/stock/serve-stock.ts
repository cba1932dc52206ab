/** Answers a request for a stock image: charges it, serves the image that is known or finds one, and refunds it when there is none. */

import type { Answer } from '../images/answer';
import type { Refusal } from '../problems/problem';
import { type Charge, charge, refund, refusalRemembered } from '../quota/charge';
import { FaultAfterCharge, freePayment, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { LimitServices } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import { readAnswer } from './answers';
import type { FoundImage } from './search';
import { searchCallerOf } from './search-caller';

/** How a page has one of its images served. */
export interface OnPage {
  /** Charges the image in its turn. @throws as `charge` */
  charge(): Promise<Charge>;
  /** Decides whether the page shows an image here, before it is rendered. @param pick public id of the image */
  claim(pick: string): Promise<boolean>;
}

/**
 * @param onPage absent for an image by itself
 * @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then. Throws when a table fails.
 */
export async function serveStock(
  services: Services,
  request: StockRequest,
  context: RequestContext,
  onPage?: OnPage,
): Promise<Answer> {
  const { requestLimits, workLimits, format, payment } = context;
  const used = payment ? undefined : refusalRemembered(services, requestLimits);
  if (used) return { outcome: 'refused', refusal: used };
  // Neither needs the other's answer, so they run side by side.
  const reading = readAnswer(services, request, format);
  let isMoved = false;
  const claim = async (pick: string): Promise<boolean> => {
    const isShown = !onPage || (await onPage.claim(pick));
    isMoved ||= !isShown;
    return isShown;
  };
  // What was made for the request is its own image, not the one that a page shows in its place.
  const isMade = async () => (await reading).isMade && !isMoved;
  const caller = { ...searchCallerOf(services, context, isMade), ...(onPage && { claim }) };
  const find = async (): Promise<FoundImage> => {
    const { image: known } = await reading;
    if (known && (await claim(known.pick ?? known.location))) {
      if (known.use) await (await import('./new-images')).reportKnownUse(services, known, caller.owner);
      return { outcome: 'found', image: known, cache: 'HIT' };
    }
    const { findNew } = await import('./new-images');
    return findNew(services, request, context, caller);
  };
  // What is likely to be refused is searched for before it is charged.
  const isLimited = refusalRemembered(services, workLimits) !== undefined;
  const early = isLimited && !(await reading).image ? await find() : undefined;
  if (early?.outcome === 'refused' && early.isOfCaller) return { outcome: 'refused', refusal: early.refusal };
  const charged = await (onPage ? onPage.charge() : charge(services, context));
  if (charged.outcome === 'refused') return charged;
  return answerCharged(services, charged.payment, early ?? find());
}

/**
 * Answers a charged request with what is found for it. What was charged is given back when that is no image.
 * @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then
 */
async function answerCharged(
  services: LimitServices,
  payment: Payment,
  finding: FoundImage | Promise<FoundImage>,
): Promise<Answer> {
  let found: FoundImage;
  try {
    found = await finding;
  } catch (error) {
    await refund(services, payment);
    throw new FaultAfterCharge(payment, error);
  }
  if (found.outcome !== 'found') {
    const refusal: Refusal = found.outcome === 'none' ? { code: 'no_image_found' } : found.refusal;
    await refund(services, payment);
    return { outcome: 'refused', refusal, payment };
  }
  if (found.image.fallback !== 'gone') return { ...found, outcome: 'served', payment };
  // A card is no image.
  await refund(services, payment);
  const isRefunded = payment.state === 'refunded';
  return {
    ...found,
    outcome: 'served',
    payment: isRefunded ? freePayment('no-image', payment.rateLimit) : payment,
  };
}
