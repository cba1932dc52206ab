/** Answers a request for a stock image: charges it, serves a known image or finds one, refunds a miss. */

import type { Answer } from '../images/answer';
import type { Refusal } from '../problems/problem';
import { type Charge, charge, refund, refundAndThrow } from '../quota/charge';
import { freePayment, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { knownRefusalFor, type LimitServices } from '../quota/take';
import type { StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import type { SearchOutcome } from '../stock/search/search';
import { type Page, searchCallerOf } from '../stock/search/search-caller';
import { readStoredAnswer, type StoredAnswer } from '../stock/stored-answers';

/** A page that shows several images, each charged in its turn. */
export interface ChargingPage extends Page {
  /** Charges the image in its turn. @throws as `charge` */
  charge(): Promise<Charge>;
}

/**
 * Serves a stock image, by itself or on a page.
 * @throws `ErrorAfterCharge` when the search fails, after the refund; anything else before a charge
 */
export async function serveStock(
  services: Services,
  request: StockRequest,
  context: RequestContext,
  page?: ChargingPage,
): Promise<Answer> {
  const { requestLimits, format } = context;
  const usedUp = context.pays.kind === 'charge' ? knownRefusalFor(services, requestLimits) : undefined;
  if (usedUp) return { outcome: 'refused', refusal: usedUp };
  // The look for a known image and the charge run side by side.
  const reading = readStoredAnswer(services, request, format);
  const early = await findBeforeCharge(services, request, context, reading, page);
  if (early?.outcome === 'refused' && early.isOfCaller) return { outcome: 'refused', refusal: early.refusal };
  const charged = await (page ? page.charge() : charge(services, context));
  if (charged.outcome === 'refused') return charged;
  const { payment } = charged;
  const fail = (error: unknown) => refundAndThrow(services, payment, error);
  const outcome = early ?? (await findImageFor(services, request, context, reading, page).catch(fail));
  return answerCharged(services, payment, outcome);
}

/**
 * Searches before the charge where this instance knows that the caller's work is used up: the search is then
 * refused at no cost, unless a kept choice answers it.
 * @returns `undefined` where the work is not known to be used up, or an image is known
 */
async function findBeforeCharge(
  services: Services,
  request: StockRequest,
  context: RequestContext,
  reading: Promise<StoredAnswer>,
  page: Page | undefined,
): Promise<SearchOutcome | undefined> {
  if (!knownRefusalFor(services, context.workLimits)) return undefined;
  return (await reading).image ? undefined : findImageFor(services, request, context, reading, page);
}

/** Finds the known image of a request where its page may show that, and otherwise searches one. */
async function findImageFor(
  services: Services,
  request: StockRequest,
  context: RequestContext,
  reading: Promise<StoredAnswer>,
  page: Page | undefined,
): Promise<SearchOutcome> {
  const { image, isMade } = await reading;
  const isShown = image && (!page || (await page.reserve(image.pick ?? image.location)));
  if (isShown && !image.use) return { outcome: 'found', image, cache: 'HIT' };
  const { findImage, reportUse, createStockServices } = await import('../uncached');
  const stock = await createStockServices(services);
  // On a page that shows the known image elsewhere, another one is searched; its rendition counts as work.
  const caller = searchCallerOf(context, isMade && !image, page);
  if (!isShown) return findImage(stock, request, context.format, caller);
  await reportUse(stock, image, caller.owner);
  return { outcome: 'found', image, cache: 'HIT' };
}

/** Answers a charged request with what was found for it, and refunds it where that is no image. */
async function answerCharged(
  services: LimitServices,
  payment: Payment,
  search: SearchOutcome,
): Promise<Answer> {
  if (search.outcome === 'found' && search.image.fallback !== 'gone')
    return { ...search, outcome: 'served', payment };
  const refunded = await refund(services, payment);
  if (search.outcome !== 'found') {
    const refusal: Refusal = search.outcome === 'none' ? { code: 'no_image_found' } : search.refusal;
    return { outcome: 'refused', refusal, payment: refunded };
  }
  // The card for an image that is gone is served, and costs nothing.
  const isFree = refunded.state === 'refunded';
  return {
    ...search,
    outcome: 'served',
    payment: isFree ? freePayment('no-image', refunded.rateLimit) : refunded,
  };
}
