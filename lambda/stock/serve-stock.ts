/** Answers a request for a stock image: charges it, serves the image that is known or finds one, and refunds it when there is none. */

import { deadlineAt } from '../base/deadline';
import type { Answer } from '../images/answer';
import type { ServedImage } from '../images/image';
import type { Refusal } from '../problems/problem';
import type { Ledger } from '../quota/ledger';
import { FaultAfterCharge, type Payment } from '../quota/payment';
import { type RequestContext, renditionId } from '../quota/request-context';
import type { StockRequest } from '../requests/image-request';
import { readAnswer } from './answers';
import type { FoundImage } from './found';
import { type SearchCaller, searchCallerOf } from './search-caller';
import type { AnswerServices } from './stock-services';

/** Finds an image that is not known. */
export type FindImage = (
  request: StockRequest,
  context: Pick<RequestContext, 'format' | 'deadlineMs'>,
  caller: SearchCaller,
) => Promise<FoundImage>;

/** What a stock request is charged and served with. */
export interface ServeStockServices extends Omit<AnswerServices, 'deadline'> {
  readonly ledger: Ledger;
  readonly find: FindImage;
  /** Has the use of a known image reported. Never throws. */
  readonly reportUse: (image: ServedImage, owner: string, deadlineMs: number) => Promise<void>;
}

/** Answers a request for a stock image, and charges it. */
export type ServeStock = (request: StockRequest, context: RequestContext) => Promise<Answer>;

/** @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then. Throws when the ledger fails. */
export async function serveStock(
  services: ServeStockServices,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  const { ledger, find, reportUse } = services;
  const { searches, renditions, format, deadlineMs } = context;
  const caller = searchCallerOf(ledger, context);
  // Neither needs the other's answer, so they run side by side.
  const reading = readAnswer({ ...services, deadline: deadlineAt(deadlineMs) }, request, format);
  const findNew = async (): Promise<FoundImage> => {
    const taken =
      renditions.length > 0 ? await ledger.take(renditions, renditionId(request, format)) : undefined;
    if (taken?.outcome === 'refused') return { outcome: 'refused', refusal: taken.refusal, isOfCaller: true };
    return find(request, context, caller);
  };
  // What is likely to be refused is searched for before it is charged.
  const isLimited = ledger.cachedRefusal([...searches, ...renditions]) !== undefined;
  const early = isLimited && !(await reading) ? await findNew() : undefined;
  if (early?.outcome === 'refused' && early.isOfCaller) return { outcome: 'refused', refusal: early.refusal };
  const [charge, known] = await Promise.all([ledger.charge(context), reading]);
  if (charge.outcome === 'refused') return charge;
  if (known?.use) await reportUse(known, caller.owner, deadlineMs);
  const hit = known && ({ outcome: 'found', image: known, cache: 'HIT' } as const);
  return answerCharged(ledger, charge.payment, context, hit ?? early ?? findNew());
}

/**
 * Answers a charged request with what is found for it. What was charged is given back when that is no image.
 * @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then
 */
export async function answerCharged(
  ledger: Pick<Ledger, 'refund'>,
  payment: Payment,
  context: RequestContext,
  finding: FoundImage | Promise<FoundImage>,
): Promise<Answer> {
  let found: FoundImage;
  try {
    found = await finding;
  } catch (error) {
    throw new FaultAfterCharge(await ledger.refund(context, payment), error);
  }
  if (found.outcome !== 'found') {
    const refusal: Refusal = found.outcome === 'none' ? { code: 'no_image_found' } : found.refusal;
    return { outcome: 'refused', refusal, payment: await ledger.refund(context, payment) };
  }
  if (found.image.fallback !== 'gone') return { ...found, outcome: 'served', payment };
  // A card is no image.
  const given = await ledger.refund(context, payment);
  const { rateLimit } = given;
  const free = { state: 'free', because: 'no-image', rateLimit } as const;
  return { ...found, outcome: 'served', payment: given.state === 'refunded' ? free : given };
}
