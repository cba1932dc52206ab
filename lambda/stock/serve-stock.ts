/** Answers a request for a stock image: charges it, serves the image that is known or finds one, and refunds it when there is none. */

import type { Answer } from '../images/answer';
import { claimNote, type NoteServices, releaseNote } from '../images/rendition-notes';
import type { ChargeRefusal, Refusal } from '../problems/problem';
import { charge, refund, refusalRemembered, takeFor } from '../quota/charge';
import type { Limit } from '../quota/limit';
import { FaultAfterCharge, freePayment, type Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { LimitServices } from '../quota/take';
import { fingerprintOf, type StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import { readAnswer } from './answers';
import type { FoundImage } from './found';
import { searchCallerOf } from './search-caller';

/** @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then. Throws when a table fails. */
export async function serveStock(
  services: Services,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  const { workLimits, account, payment, requestId, format } = context;
  const caller = searchCallerOf(services, context);
  // An account's new images are counted by their searches; of an image that is paid today, by its renditions alone.
  const renditionLimits = payment || account === undefined ? workLimits : [];
  // Neither needs the other's answer, so they run side by side.
  const reading = readAnswer(services, request, format);
  const find = async (): Promise<FoundImage> => {
    const rendition = `${fingerprintOf(request)}.${format}`;
    const refusal = await takeRendition(services, renditionLimits, rendition, requestId);
    if (refusal) return { outcome: 'refused', refusal, isOfCaller: true };
    const { findNew } = await import('./new-images');
    return findNew(services, request, context, caller);
  };
  // What is likely to be refused is searched for before it is charged.
  const isLimited = refusalRemembered(services, workLimits) !== undefined;
  const early = isLimited && !(await reading) ? await find() : undefined;
  if (early?.outcome === 'refused' && early.isOfCaller) return { outcome: 'refused', refusal: early.refusal };
  const [charged, known] = await Promise.all([charge(services, context), reading]);
  if (charged.outcome === 'refused') return charged;
  if (known?.use) {
    const { reportKnownUse } = await import('./new-images');
    await reportKnownUse(services, known, caller.owner);
  }
  const hit = known && ({ outcome: 'found', image: known, cache: 'HIT' } as const);
  return answerCharged(services, charged.payment, hit ?? early ?? find());
}

/** Takes a unit of `work` for a rendition from the one request that makes it, however many want it at the same time. */
async function takeRendition(
  services: LimitServices & NoteServices,
  limits: readonly Limit[],
  rendition: string,
  requestId: string,
): Promise<ChargeRefusal | undefined> {
  const known = refusalRemembered(services, limits);
  if (known) return known;
  if (limits.length === 0 || !(await claimNote(services, rendition, requestId))) return undefined;
  const refusal = await takeFor(services, limits, requestId);
  if (refusal) await releaseNote(services, rendition, requestId);
  return refusal;
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
