/** Answers a request for a stock image: charges it, serves a known image or finds one, refunds a miss. */

import type { UnpaidAnswer } from '../images/answer';
import type { ServedImage } from '../images/image';
import type { Answer } from '../quota/answer';
import { payForImage, refundUnlessServed } from '../quota/pay';
import type { RequestContext } from '../quota/request-context';
import { type LimitServices, rememberedRefusalFor } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import type { SearchContext } from './search/search-types';
import type { AnswerServices } from './stock-services';
import { readStoredAnswer, type StoredAnswer } from './stored-answers';

/** The two functions that few known images need: the first call of one loads the code of both. */
export interface SearchCode {
  /** Calls `findImage` of search/find-image.ts. */
  findUnknown(request: StockRequest, context: SearchContext): Promise<UnpaidAnswer>;
  reportUse(image: ServedImage, owner: string): Promise<void>;
}

/**
 * Charges a request, serves its stored answer or an image that is found, and refunds a miss.
 * @throws `ErrorAfterCharge` when the search fails, after the refund; anything else before a charge
 */
export async function serveStock(
  services: AnswerServices & LimitServices,
  searchCode: SearchCode,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  const usedUp = !context.settledPayment && rememberedRefusalFor(services, context.requestLimits);
  if (usedUp) return { outcome: 'refused', refusal: usedUp };
  // The stored answer is read while the charge is written.
  const storedAnswer = readStoredAnswer(services, request, context.format);
  const admission = await payForImage(services, context);
  if (admission.outcome === 'refused') return admission;
  const answering = storedAnswer.then((stored) => serveKnownOrFind(searchCode, request, context, stored));
  return refundUnlessServed(services, admission.payment, answering);
}

/** Serves the known image of a request where its page may show that, and otherwise finds one. */
async function serveKnownOrFind(
  searchCode: SearchCode,
  request: StockRequest,
  context: RequestContext,
  { image, isRenditionCounted }: StoredAnswer,
): Promise<UnpaidAnswer> {
  const { page, account = 'anonymous' } = context;
  if (!image || (page && !(await page.reserve(image.pick ?? image.location)))) {
    // On a page that shows the known image elsewhere, another one is searched; its rendition counts as work.
    const searchContext = { ...context, isRenditionCounted: isRenditionCounted && !image };
    return searchCode.findUnknown(request, searchContext);
  }
  if (image.use) await searchCode.reportUse(image, account);
  return { outcome: 'served', image, cache: 'HIT' };
}
