/** Answers a request for a stock image: charges it, serves the image that is known or finds one, and refunds it when there is none. */

import type { Answer } from '../images/answer';
import type { Refusal } from '../problems/problem';
import { charge, refund, refusalRemembered } from '../quota/charge';
import { FaultAfterCharge, freePayment, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { LimitServices } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import { readAnswer } from './answers';
import type { FoundImage } from './search';
import { searchCallerOf } from './search-caller';

/** @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then. Throws when a table fails. */
export async function serveStock(
  services: Services,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  const { workLimits, format } = context;
  // Neither needs the other's answer, so they run side by side.
  const reading = readAnswer(services, request, format);
  const caller = searchCallerOf(services, context, async () => (await reading).isMade);
  const find = async (): Promise<FoundImage> => {
    const { findNew } = await import('./new-images');
    return findNew(services, request, context, caller);
  };
  // What is likely to be refused is searched for before it is charged.
  const isLimited = refusalRemembered(services, workLimits) !== undefined;
  const early = isLimited && !(await reading).image ? await find() : undefined;
  if (early?.outcome === 'refused' && early.isOfCaller) return { outcome: 'refused', refusal: early.refusal };
  const [charged, { image: known }] = await Promise.all([charge(services, context), reading]);
  if (charged.outcome === 'refused') return charged;
  if (known?.use) {
    const { reportKnownUse } = await import('./new-images');
    await reportKnownUse(services, known, caller.owner);
  }
  const hit = known && ({ outcome: 'found', image: known, cache: 'HIT' } as const);
  return answerCharged(services, charged.payment, hit ?? early ?? find());
}

/**
 * Answers a charged request with what is found for it. What was charged is given back when that is no image.
 * @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then
 */
export async function answerCharged(
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
