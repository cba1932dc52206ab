/** Answers a request for a stock image: charges it, serves the cached image or finds one, and refunds it when there is none. */

import type { Answer } from '../images/answer';
import type { Refusal } from '../problems/problem';
import type { Ledger } from '../quota/ledger';
import { FaultAfterCharge, type Payment } from '../quota/payment';
import { type RequestContext, renditionId } from '../quota/request-context';
import { fingerprintOf, type StockRequest } from '../requests/image-request';
import type { CachedImages } from './cached-images';
import type { FindImage } from './find-image';
import type { FoundImage } from './keep-image';
import type { OperatorImages } from './operator-images';
import { createSearchCaller } from './search-caller';
import { type NoteUse, ownerOfUse } from './uses';

/** What a stock request is charged and served with. */
export interface ServeStockDeps {
  readonly ledger: Ledger;
  readonly cachedImages: Pick<CachedImages, 'find'>;
  readonly find: FindImage;
  /** Absent for a service without photographs of the operator and removed images. */
  readonly operatorImages?: OperatorImages;
  readonly noteUse: NoteUse;
}

/** Answers a request for a stock image, and charges it. */
export type ServeStock = (request: StockRequest, context: RequestContext) => Promise<Answer>;

/**
 * With `onmiss`, an image that covers no word of the query counts as no image.
 * @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then. Throws when the ledger fails.
 */
export function createServeStock({
  cachedImages,
  find,
  ledger,
  operatorImages,
  noteUse,
}: ServeStockDeps): ServeStock {
  return async (asked, context) => {
    let request = operatorImages?.lastSeen(asked) ?? asked;
    const { searches, renditions, format, deadlineMs } = context;
    const looking = operatorImages?.current(asked) ?? asked;
    // Neither needs the other's answer, so they run side by side.
    const reading = cachedImages.find(request, format);
    const findNew = async (of: StockRequest): Promise<FoundImage> => {
      const charged =
        renditions.length > 0 ? await ledger.take(renditions, renditionId(of, format)) : undefined;
      if (charged?.outcome === 'refused') return { outcome: 'limited', refusal: charged.refusal };
      return find(of, format, deadlineMs, createSearchCaller(ledger, context));
    };
    // What is likely to be refused is searched for before it is charged.
    const isLimited = ledger.cachedRefusal([...searches, ...renditions]) !== undefined;
    const early = isLimited && !(await reading) ? await findNew(await looking) : undefined;
    if (early?.outcome === 'limited') return { outcome: 'refused', refusal: early.refusal };
    const [charge, read, current] = await Promise.all([ledger.charge(context), reading, looking]);
    if (charge.outcome === 'refused') return charge;
    // What was added or removed meanwhile may mean another image.
    const isChanged =
      current !== request &&
      (current.removed?.length !== request.removed?.length ||
        fingerprintOf(current) !== fingerprintOf(request));
    request = current;
    const cached = isChanged ? await cachedImages.find(request, format) : read;
    if (cached?.use) await noteUse(cached, ownerOfUse(context));
    const hit = cached && ({ outcome: 'found', image: cached, cache: 'HIT' } as const);
    return answerCharged(ledger, charge.payment, request, context, hit ?? early ?? findNew(request));
  };
}

/**
 * Answers a charged request with what is found for it. What was charged is given back when that is no image that will do.
 * @throws `FaultAfterCharge` when the search fails: what was charged has been given back by then
 */
export async function answerCharged(
  ledger: Pick<Ledger, 'refund'>,
  payment: Payment,
  request: StockRequest,
  context: RequestContext,
  finding: FoundImage | Promise<FoundImage>,
): Promise<Answer> {
  let result: FoundImage;
  try {
    result = await finding;
  } catch (error) {
    throw new FaultAfterCharge(await ledger.refund(context, payment), error);
  }
  const served = servedOf(result, request);
  if ('image' in served) {
    if (served.image.fallback !== 'gone') return { ...served, outcome: 'served', payment };
    // A card is no image.
    const given = await ledger.refund(context, payment);
    const { rateLimit } = given;
    const free = { state: 'free', because: 'no-image', rateLimit } as const;
    return { ...served, outcome: 'served', payment: given.state === 'refunded' ? free : given };
  }
  return { outcome: 'refused', refusal: served, payment: await ledger.refund(context, payment) };
}

/** What a search has found, where it answers the request; otherwise why the request is refused. */
function servedOf(
  result: FoundImage,
  { filters: { onmiss } }: StockRequest,
): Extract<FoundImage, { outcome: 'found' }> | Refusal {
  if (result.outcome !== 'found') return refusalOf(result);
  const { fit } = result.image;
  return onmiss && fit === 'loose' ? { code: 'no_image_found' } : result;
}

/** Why a request without an image is refused. */
function refusalOf(result: Exclude<FoundImage, { outcome: 'found' }>): Refusal {
  return result.outcome === 'none' ? { code: 'no_image_found' } : result.refusal;
}
