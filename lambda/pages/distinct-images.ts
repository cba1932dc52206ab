/** Finds a stock image of a batch: the next of its choice that no earlier entry shows, and none that is excluded. */

import { rankSeedMax } from '../contract/request-bounds';
import type { RequestContext } from '../quota/request-context';
import type { StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import { readAnswer } from '../stock/answers';
import type { FoundImage } from '../stock/found';
import { rankOfSeed } from '../stock/rank';
import type { SearchCaller } from '../stock/search-caller';

/**
 * @param before entries before this one with the same request, which are expected to show as many of the best images
 * @param caller claims each image before it is rendered
 */
export async function findDistinct(
  services: Services,
  before: number,
  request: StockRequest,
  context: Pick<RequestContext, 'format'>,
  caller: SearchCaller & Required<Pick<SearchCaller, 'claim'>>,
): Promise<FoundImage> {
  const rank = rankOfSeed(request.seed);
  const isMoved = rank !== undefined && before > 0;
  const wanted = isMoved ? { ...request, seed: String(((rank - 1 + before) % rankSeedMax) + 1) } : request;
  const { image: known, isMade } = await readAnswer(services, wanted, context.format);
  if (known && (await caller.claim(known.pick ?? known.location)))
    return { outcome: 'found', image: known, cache: 'HIT' };
  const { findNew } = await import('../stock/new-images');
  // Of an image that was made before, a rendition costs no work, as where it is asked for alone.
  const free = { ...caller, takeRendition: async () => undefined };
  return findNew(services, wanted, context, isMade ? free : caller);
}
