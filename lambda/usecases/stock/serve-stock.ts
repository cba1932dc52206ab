/** Answers a request for a stock image: charges it, serves the known image or finds one, refunds it when there is none. */

import { type RenditionFormat, renditionFormats, type ServedImage } from '../../domain/image/image';
import { type Answer, MeteredFault } from '../../domain/problem/answer';
import type { Refusal } from '../../domain/problem/problem';
import type { UsageNote } from '../../domain/quota/usage';
import type { StockRequest } from '../../domain/request/image-request';
import type { RequestContext } from '../../domain/request/request-context';
import { giveBack, type Meter, paidMeter } from '../metering/meter';
import { createAsker } from './ask-provider';
import type { FindImage, FoundImage } from './find-image';
import type { KnownImages } from './known-images';

export interface ServeStockDeps {
  readonly meter: Meter;
  readonly known: Pick<KnownImages, 'find'>;
  readonly find: FindImage;
}

/** After which a placeholder that is being made in the background is asked for again. */
const placeholderRetryS = 3;

export type ServeStock = (request: StockRequest, context: RequestContext) => Promise<Answer>;

/**
 * With `onmiss`, an image that covers no word of the query counts as no image.
 * @throws `MeteredFault` when the lookup fails: what was charged has been given back by then. Throws when the meter fails.
 */
export function createServeStock({ known, find, ...deps }: ServeStockDeps): ServeStock {
  return async (request, context) => {
    const { allowance, bounds, searches, requestId, format, deadlineMs, paid } = context;
    const meter = paid ? paidMeter(paid) : deps.meter;
    const usage = paid && context.usage ? freeNote(context.usage) : context.usage;
    if (request.asPlaceholder) {
      const free = await knownPlaceholder(known, request, format);
      if (free) {
        context.usage?.expect({ source: free.source, cache: 'HIT', isFree: true });
        return {
          outcome: 'served',
          image: free,
          cache: 'HIT',
          rateLimit: await meter.status(allowance),
          isFree: true,
        };
      }
    }
    // Neither needs the other's answer, so they run side by side.
    const finding = known.find(request, format);
    const note = (image: ServedImage | undefined) => {
      if (image) usage?.expect({ source: image.source, cache: 'HIT' });
    };
    const [charge, knownImage] = await Promise.all([
      meter.charge(allowance, requestId, bounds, () => void finding.then(note, () => undefined)),
      finding,
    ]);
    if (charge.outcome === 'refused') return charge;
    const { rateLimit } = charge;

    let found: FoundImage;
    try {
      found = knownImage
        ? { outcome: 'found', image: knownImage, cache: 'HIT' }
        : await find(request, format, deadlineMs, createAsker(meter, searches, requestId, usage));
    } catch (error) {
      const { rateLimit: rateLimitAfter, isDone } = await giveBack(meter, charge, context);
      throw new MeteredFault(rateLimitAfter, error, !isDone);
    }
    const isMissed = found.outcome === 'found' && found.image.fit === 'loose' && request.filters.onmiss;
    const isBare = found.outcome === 'found' && request.asPlaceholder && !found.image.placeholder;
    if (found.outcome === 'found' && !isMissed && !isBare)
      return {
        outcome: 'served',
        image: found.image,
        cache: found.cache,
        rateLimit,
        ...(charge.outcome === 'free' ? { isFree: true } : {}),
      };
    const { rateLimit: rateLimitAfter, isDone } = await giveBack(meter, charge, context);
    const owed = isDone ? {} : ({ isOwed: true } as const);
    // The window that has refused it, not the quota, says when to ask again.
    if (found.outcome === 'limited')
      return {
        outcome: 'refused',
        refusal: found.refusal,
        rateLimit: 'rateLimit' in found.refusal ? found.refusal.rateLimit : rateLimitAfter,
        ...owed,
      };
    const refusal: Refusal = isBare
      ? { code: 'upstream_unavailable', retryAfterS: placeholderRetryS }
      : refusalOf(found);
    return { outcome: 'refused', refusal, rateLimit: rateLimitAfter, ...owed };
  };
}

/** Hears of images that are paid already. */
function freeNote(usage: UsageNote): UsageNote {
  return { expect: (outcome) => usage.expect({ ...outcome, isFree: true }) };
}

/** An image that was found and is refused is too loose for a request with `onmiss`. */
function refusalOf(found: Exclude<FoundImage, { outcome: 'limited' }>): Refusal {
  if (found.outcome !== 'unavailable') return { code: 'no_image_found' };
  const { retryAfterS } = found;
  return { code: 'upstream_unavailable', ...(retryAfterS === undefined ? {} : { retryAfterS }) };
}

/** The image of a request in any format, when it is known with its placeholder, which is the same for all formats. */
async function knownPlaceholder(
  known: ServeStockDeps['known'],
  request: StockRequest,
  format: RenditionFormat,
): Promise<ServedImage | undefined> {
  for (const each of new Set([format, ...renditionFormats])) {
    const image = await known.find(request, each);
    if (image?.placeholder) return image;
  }
  return undefined;
}
