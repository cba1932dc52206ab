/** Lists the images that the seeds of a query show, for people and models to choose from. */

import { pickKeptMs, type StockSlot } from '../contract/providers';
import type { Candidate, Fit } from '../images/image';
import { pickedKey } from '../images/picked-images';
import type { RenditionSource } from '../images/renderer-job';
import { identityOf, type StockRequest } from '../requests/image-request';
import { usableCandidates } from './candidates';
import { pickIdOf } from './deliver-candidate';
import { searchPhotos } from './find-among-photos';
import {
  createSearchParts,
  type FindImageDeps,
  notFound,
  requestsLeft,
  type SearchParts,
  slotsToTry,
} from './find-image';
import { thumbnailOf } from './judge';
import type { FoundImage } from './keep-image';
import { rankSeedMax } from './order';
import { isStanding, pickKey } from './picks';
import type { Met, ProviderSearch, Search } from './provider-request';
import { rankCandidates } from './rank-candidates';
import { coverageOf, fitOf, scoreVersion } from './score';
import type { SearchCaller } from './search-caller';
import { understand } from './understand';

/** An image of a sheet. */
export interface SheetImage {
  /** The lowest seed that shows it to an account that has decided nothing. */
  readonly number: number;
  readonly pick: string;
  readonly slot: StockSlot;
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** Where a small size of it comes from. */
  readonly thumbnail: RenditionSource;
  /** Whether its provider delivers the small size to readers itself. */
  readonly isHotlinked: boolean;
}

/** What a sheet ends in: images, or why there are none. */
export type ContactSheet =
  | Exclude<FoundImage, { outcome: 'found' }>
  | {
      readonly outcome: 'found';
      /** By number; at least one, and none twice. */
      readonly images: readonly SheetImage[];
      /** `MISS` where a provider was sent a request. */
      readonly cache: 'HIT' | 'MISS';
    };

/**
 * @param request without what its account has decided
 * @param deadlineMs moment (epoch, milliseconds) by which there is an answer
 * @throws when the table does not answer
 */
export type MakeContactSheet = (
  request: StockRequest,
  deadlineMs: number,
  caller: SearchCaller,
) => Promise<ContactSheet>;

const seeds = Array.from({ length: rankSeedMax }, (_, i) => (i === 0 ? '' : String(i + 1)));

/** An image of a seed; `isSettled` where it is shown however little it fits. */
type Shown = Pick<SheetImage, 'candidate' | 'fit'> & { readonly isSettled: boolean };

/** What the seeds show of one source of images; nothing where that is the image of a lower seed. */
interface Source {
  readonly slot: StockSlot;
  readonly search: ProviderSearch;
  readonly bySeed: readonly (Shown | undefined)[];
  /** Until when its images need not be checked (epoch, milliseconds). */
  readonly freshUntilMs: number;
}

/** What a contact sheet is made with. */
export type SheetDeps = Pick<
  FindImageDeps,
  | 'slots'
  | 'ownPhotos'
  | 'judge'
  | 'rewrite'
  | 'imageDelivery'
  | 'pickedImages'
  | 'stockMemory'
  | 'cache'
  | 'clock'
  | 'ids'
  | 'telemetry'
>;
type Parts = SheetDeps & SearchParts;

/** Searches and ranks as requests for single images do; nothing is rendered. */
export function createContactSheet(deps: SheetDeps): MakeContactSheet {
  const parts = createSearchParts(deps);
  return async (request, deadlineMs, caller) => {
    const subject = understand(identityOf(request.query), request.filters.lang);
    const search: Search = { request, subject, format: 'jpeg', deadlineMs, caller };
    const { sources, met, isCut } = await sourcesOf(parts, search);
    const hasFitting = sources.some(({ bySeed }) => bySeed.some((shown) => shown && shown.fit !== 'loose'));
    const images = new Map<string, SheetImage>();
    const noting: Promise<void>[] = [];
    for (const index of seeds.keys()) {
      const source = sourceOfSeed(sources, index);
      const shown = source?.bySeed[index];
      const thumbnail = shown && thumbnailOf(source.search, shown.candidate);
      if (!thumbnail) continue;
      const { candidate, fit } = shown;
      // A later slot may have a better one, which a request with this seed alone would find.
      if (fit === 'loose' && isCut && hasFitting) continue;
      const pick = pickIdOf(source.search.provider.name, candidate.id);
      if (images.has(pick)) continue;
      const isHotlinked = thumbnail.isHotlinked && deps.imageDelivery !== 'own';
      const image = {
        number: index + 1,
        pick,
        slot: source.slot,
        candidate,
        fit,
        ...thumbnail,
        isHotlinked,
      };
      images.set(pick, image);
      noting.push(noteNew(parts, source, image));
    }
    await Promise.all(noting);
    const cache = met.some(({ requestsSent }) => requestsSent > 0) ? 'MISS' : 'HIT';
    if (images.size > 0) return { outcome: 'found', images: [...images.values()], cache };
    const refusal = met.find((each) => each.refusal)?.refusal;
    return refusal ? { outcome: 'limited', refusal } : notFound(met, deps.clock.nowMs());
  };
}

/** The source that a request with a seed is answered from, as a search for one image goes through them. */
function sourceOfSeed(sources: readonly Source[], index: number): Source | undefined {
  const fitting = sources.find(({ bySeed }) => {
    const shown = bySeed[index];
    return shown && (shown.isSettled || shown.fit !== 'loose');
  });
  const coverage = ({ bySeed, search: { subject } }: Source) => {
    const shown = bySeed[index];
    return shown ? coverageOf(shown.candidate, subject) : -1;
  };
  return fitting ?? sources.toSorted((a, b) => coverage(b) - coverage(a))[0];
}

/** The photographs of the operator's own that come first, then the slots until every seed has a fitting image. */
async function sourcesOf(
  parts: Parts,
  search: Search,
): Promise<{
  readonly sources: readonly Source[];
  readonly met: readonly Met[];
  /** Whether slots are left that could not be searched. */
  readonly isCut: boolean;
}> {
  const { slots, ownPhotos, clock } = parts;
  const { request } = search;
  const sources: Source[] = [];
  const met: Met[] = [];
  const addPhotos = async (slot: StockSlot, isShown: (fit: Fit) => boolean) => {
    const offered = ownPhotos ? await searchPhotos({ ...parts, ...ownPhotos }, search) : [];
    for (const { search: own, candidates } of offered) {
      const bySeed = await rankedBySeed(parts, own, candidates);
      const freshUntilMs = clock.nowMs() + own.provider.capability.freshForMs;
      const shown = bySeed.map((each) =>
        each && isShown(each.fit) ? { ...each, isSettled: true } : undefined,
      );
      sources.push({ slot, search: own, bySeed: shown, freshUntilMs });
    }
  };
  if (ownPhotos?.isFirst) await addPhotos(request.provider, (fit) => fit === 'exact');
  for (const slot of slotsToTry(slots, request)) {
    if (seeds.every((_, index) => (sourceOfSeed(sources, index)?.bySeed[index]?.fit ?? 'loose') !== 'loose'))
      break;
    const provider = slots[slot];
    if (provider.name === 'library') {
      await addPhotos(slot, () => true);
      continue;
    }
    if (requestsLeft(met) === 0) return { sources, met, isCut: true };
    const own = { ...search, provider, requestsMax: requestsLeft(met) };
    const kept = await keptBySeed(parts, own);
    const { offer, ...result } = await parts.candidates.search(own, own.requestsMax);
    met.push(result);
    const usable = offer ? usableCandidates(offer.value, clock.nowMs()) : [];
    const ranked = await rankedBySeed(parts, own, usable);
    const bySeed = seeds.map((_, index) => kept[index] ?? ranked[index]);
    sources.push({ slot, search: own, bySeed, freshUntilMs: offer?.freshUntilMs ?? clock.nowMs() });
  }
  return { sources, met, isCut: false };
}

/** The images that stand for the seeds at a provider. */
function keptBySeed({ picks }: Parts, search: ProviderSearch): Promise<readonly (Shown | undefined)[]> {
  const { provider, request } = search;
  return Promise.all(
    seeds.map(async (seed) => {
      const stored = await picks.find(pickKey(provider.name, { ...request, seed }, 'usual'));
      return stored && isStanding(stored.value) ? { ...stored.value, isSettled: true } : undefined;
    }),
  );
}

/** What each seed would show of some candidates. */
function rankedBySeed(
  parts: Parts,
  search: ProviderSearch,
  candidates: readonly Candidate[],
): Promise<readonly (Shown | undefined)[]> {
  return Promise.all(
    seeds.map(async (seed) => {
      const of = { ...search, request: { ...search.request, seed } };
      const [candidate] = await rankCandidates(parts, of, candidates);
      return candidate && candidate.seedsStartOverAfter === undefined
        ? { candidate, fit: fitOf(candidate, search.subject), isSettled: false }
        : undefined;
    }),
  );
}

/** Stores an image that was never shown under its pick, so that it can be chosen. */
async function noteNew(
  { pickedImages, stockMemory, clock }: Parts,
  { slot: source, search: { provider }, freshUntilMs }: Source,
  { pick, candidate, fit }: SheetImage,
): Promise<void> {
  if (await pickedImages.photo(pick)) return;
  const offeredMs = clock.nowMs();
  const value = { provider: provider.name, source, candidate, fit, scoreVersion, offeredMs };
  await stockMemory.write(pickedKey(pick), { value, freshUntilMs, staleUntilMs: offeredMs + pickKeptMs });
}
