/** Answers a request for a stock image: charges it, serves a known image or finds one, refunds a miss. */

import type { Answer, UnpaidAnswer } from '../quota/answer';
import { payForImage, refundUnlessServed } from '../quota/pay';
import type { RequestContext } from '../quota/request-context';
import { type LimitServices, rememberedRefusalFor } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import type { reportUse } from './report-use';
import type { findImage } from './search/find-image';
import type { AnswerServices, StockServices } from './stock-services';
import { readStoredAnswer, type StoredAnswer } from './stored-answers';

/** Loads what a known image does not need: the search, reports of uses, and their services. */
export type LoadStock = () => Promise<{
  readonly services: StockServices;
  readonly findImage: typeof findImage;
  readonly reportUse: typeof reportUse;
}>;

/**
 * Serves a stock image, by itself or on a page.
 * @throws `ErrorAfterCharge` when the search fails, after the refund; anything else before a charge
 */
export async function serveStock(
  services: AnswerServices & LimitServices,
  loadStock: LoadStock,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  const usedUp = !context.settledPayment && rememberedRefusalFor(services, context.requestLimits);
  if (usedUp) return { outcome: 'refused', refusal: usedUp };
  // The stored answer is read while the charge is written.
  const storedAnswer = readStoredAnswer(services, request, context.format);
  const admission = await payForImage(services, context);
  if (admission.outcome === 'refused') return admission;
  const answering = storedAnswer.then((stored) => knownOrSearched(loadStock, request, context, stored));
  return refundUnlessServed(services, admission.payment, answering);
}

/** Returns the known image of a request where its page may show that, and otherwise searches one. */
async function knownOrSearched(
  loadStock: LoadStock,
  request: StockRequest,
  context: RequestContext,
  { image, isRenditionCounted }: StoredAnswer,
): Promise<UnpaidAnswer> {
  const { page, account = 'anonymous' } = context;
  if (!image || (page && !(await page.reserve(image.pick ?? image.location)))) {
    const { services, findImage } = await loadStock();
    // On a page that shows the known image elsewhere, another one is searched; its rendition counts as work.
    return findImage(services, request, { ...context, isRenditionCounted: isRenditionCounted && !image });
  }
  if (image.use) {
    const { services, reportUse } = await loadStock();
    await reportUse(services, image, account);
  }
  return { outcome: 'served', image, cache: 'HIT' };
}
