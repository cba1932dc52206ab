/** Finds the stock images of a batch side by side, none twice: an earlier entry claims its image before a later one. */

import { rankSeedMax, seedCharactersMax } from '../contract/request-bounds';
import type { ServedImage } from '../images/image';
import type { Refusal } from '../problems/problem';
import type { StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import type { Parts } from '../services';
import type { FoundImage } from '../stock/keep-image';
import { rankOfSeed } from '../stock/order';
import { isNotClaimed, type SearchCaller } from '../stock/search-caller';

/** Identifies an image among those of a page. */
function pickOfImage({ pick, imageId, location }: ServedImage): string {
  return imageId ?? pick ?? location;
}

/** What a search for an image of its own ends in. */
type DistinctImage =
  | FoundImage
  /** Why no image is shown: other slots show all of them, or its caller may spend no more. */
  | { readonly refusal: Refusal };

/**
 * @param before entries before this one with the same request, which are expected to show as many of the best images
 * @param caller claims each image before it is rendered
 */
export async function findDistinct(
  { cachedImages, find }: Pick<Parts, 'cachedImages' | 'find'>,
  before: number,
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  caller: SearchCaller & Required<Pick<SearchCaller, 'claim'>>,
): Promise<DistinctImage> {
  const all = seedVariants(request.seed);
  for (const variant of [...all.slice(before), ...all.slice(0, before)]) {
    const varied = { ...request, seed: variant };
    try {
      const image = await cachedImages.find(varied, format);
      if (!image) return await find(varied, format, deadlineMs, caller);
      await caller.claim(pickOfImage(image));
      return { outcome: 'found', image, cache: 'HIT' };
    } catch (error) {
      if (!isNotClaimed(error)) throw error;
      if (error.refusal) return { refusal: error.refusal };
    }
  }
  return { refusal: { code: 'duplicate_image' } };
}

/** The seeds to try for a request, its own first; always the same. A rank is varied by rank, a drawn seed by drawn ones. */
function seedVariants(seed: string): readonly string[] {
  const ranks = Array.from({ length: rankSeedMax }, (_, i) => i + 1);
  const own = rankOfSeed(seed);
  if (own === undefined) {
    const longestSuffix = ` ${rankSeedMax}`;
    const beginning = seed.slice(0, seedCharactersMax - longestSuffix.length);
    return [seed, ...ranks.slice(1).map((n) => `${beginning} ${n}`)];
  }
  return [seed, ...[...ranks.slice(own), ...ranks.slice(0, own - 1)].map(String)];
}
