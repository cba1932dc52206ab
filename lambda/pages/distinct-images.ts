/** Finds the stock images of a batch side by side, none twice: an earlier entry has its image before a later one. */

import { seedCharactersMax } from '../contract/request-bounds';
import type { ServedImage } from '../images/image';
import type { StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import type { FindImage } from '../stock/find-image';
import type { FoundImage } from '../stock/keep-image';
import type { KnownImages } from '../stock/known-images';
import { rankOfSeed, rankSeedMax } from '../stock/order';
import type { SearchCaller } from '../stock/search-caller';

export interface DistinctImagesDeps {
  readonly known: Pick<KnownImages, 'find'>;
  readonly find: FindImage;
}

/** Identifies an image among those of a page. */
export function pickOfImage({ pick, imageId, location }: ServedImage): string {
  return imageId ?? pick ?? location;
}

export interface DistinctEntry {
  readonly slot: string;
  /** The seed under which the slot's image was found before. */
  readonly seed?: string | undefined;
  /** Entries before this one that ask for the same: they are expected to take as many of the best images. */
  readonly before: number;
  /** Resolves when every entry before this one has its image, or will have none. */
  readonly turn: Promise<unknown>;
}

export interface DistinctlyFound {
  readonly found: FoundImage;
  /** The seed under which it was found. */
  readonly seed: string;
  /** Whether images were found, and all of them are taken. */
  readonly isExhausted: boolean;
}

/** @param taken image → slot that shows it; the entry adds its own */
export async function findDistinct(
  { known, find }: DistinctImagesDeps,
  taken: Map<string, string>,
  { slot, seed, before, turn }: DistinctEntry,
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  caller: SearchCaller,
): Promise<DistinctlyFound> {
  const findWith = async (variant: string): Promise<FoundImage> => {
    const varied = { ...request, seed: variant };
    const image = await known.find(varied, format);
    return image ? { outcome: 'found', image, cache: 'HIT' } : find(varied, format, deadlineMs, caller);
  };
  const all = seedVariants(request.seed);
  const order = [...all.slice(before), ...all.slice(0, before)];
  const variants = seed === undefined ? order : [seed, ...order.filter((each) => each !== seed)];
  // Searched for before its turn, so that the entries run side by side.
  let found = await findWith(variants[0] as string);
  await turn;
  for (const [index, variant] of variants.entries()) {
    if (index > 0) found = await findWith(variant);
    if (found.outcome !== 'found') return { found, seed: variant, isExhausted: false };
    const pick = pickOfImage(found.image);
    const owner = taken.get(pick);
    if (owner === undefined || owner === slot) {
      taken.set(pick, slot);
      return { found, seed: variant, isExhausted: false };
    }
  }
  return { found: { outcome: 'none' }, seed: request.seed, isExhausted: true };
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
