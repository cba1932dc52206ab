/** Finds an image that is not known yet: slot by slot, each provider once; the first fitting image is stored and served. */

import type { Clock, Ids } from '../base/clock';
import { DeadlineReached, withDeadline } from '../base/deadline';
import type { Cache, StockMemory } from '../base/item-store';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import { requestsPerSearchMax, type StockSlot, stockSlots } from '../contract/providers';
import { describedBy } from '../images/alt-text';
import type { ServedImage } from '../images/image';
import type { Background } from '../images/renderer';
import type { ChargeRefusal } from '../problems/problem';
import { identityOf, type StockRequest, sha256Hex } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { createBudget } from './budget';
import { createCandidates } from './candidates';
import { createCircuit } from './circuit';
import {
  deliverPhoto,
  type FindAmongPhotosDeps,
  type FittingPhoto,
  findAmongPhotos,
} from './find-among-photos';
import { type FindAtProviderDeps, findAtProvider, type SelectedImage } from './find-at-provider';
import { type KeepDeps, type KeptImage, keepFindings, keepImage } from './keep-image';
import type { KnownImages } from './known-images';
import { createPicks } from './picks';
import { type PlaceholderDeps, placeholderFor } from './placeholder';
import { createSendRequest, type Met, type ProviderSearch } from './provider-request';
import type { SearchCaller } from './search-caller';
import type { StockProvider } from './stock-provider';
import { understand } from './understand';

/** How long an image of a fallback slot is kept, in milliseconds, so that the preferred slot takes over again. */
const fallbackFreshForMs = 300_000;

export type FoundImage =
  | {
      readonly outcome: 'found';
      readonly image: ServedImage;
      /** `MISS` only for the one request that caused a request to a provider. */
      readonly cache: 'HIT' | 'MISS';
    }
  /** Every provider answered and none has a fitting image. */
  | { readonly outcome: 'none' }
  /** A provider would have to be searched, and the caller has searched as often as it may. */
  | { readonly outcome: 'limited'; readonly refusal: ChargeRefusal }
  /** No image was found and at least one provider, or the way to it, failed. */
  | {
      readonly outcome: 'unavailable';
      /** An image was found, and the renderer had too much to do to make it. */
      readonly isRendererBusy?: true;
      /** Seconds after which a provider is searched again; absent where the next request may search one. */
      readonly retryAfterS?: number;
    };

/** @param deadlineMs moment (epoch, milliseconds) by which there is an answer */
export type FindImage = (
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  caller: SearchCaller,
) => Promise<FoundImage>;

export interface FindImageDeps extends Omit<FindAtProviderDeps, 'candidates' | 'picks'>, PlaceholderDeps {
  /** Photographs of the operator's own; absent for a service without any. */
  readonly ownPhotos?: Pick<FindAmongPhotosDeps, 'providerOf'> & {
    /** Whether one that fits exactly comes before all slots. */
    readonly isFirst: boolean;
  };
  readonly slots: Readonly<Record<StockSlot, StockProvider>>;
  readonly stockMemory: StockMemory;
  readonly known: Pick<KnownImages, 'keyOf' | 'remember' | 'store'>;
  readonly cache: Cache;
  readonly background: Background;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly ids: Pick<Ids, 'hex'>;
}

interface Parts extends FindImageDeps, FindAtProviderDeps, KeepDeps {
  readonly cache: Cache;
}

/** A search before it is known which provider answers it. */
type Search = Omit<ProviderSearch, 'provider' | 'requestsMax'>;

export function createFindImage(deps: FindImageDeps): FindImage {
  const budget = createBudget(deps);
  const send = createSendRequest({ ...deps, circuit: createCircuit(deps), budget });
  const candidates = createCandidates({ ...deps, send });
  const parts: Parts = { ...deps, budget, candidates, picks: createPicks({ ...deps, send }) };
  const searching = createSingleFlight<FoundImage>();

  return async (request, format, deadlineMs, caller) => {
    const key = deps.known.keyOf(request, format);
    const { query, filters } = request;
    const search: Search = {
      request,
      subject: understand(identityOf(query), filters.lang),
      format,
      deadlineMs,
      caller,
    };
    try {
      for (;;) {
        const { result, leads } = searching(key, () => searchSlots(parts, search));
        if (leads) return await result;
        const shared = await withDeadline(deps.clock, deadlineMs, () => result);
        if (shared.outcome === 'found') return { ...shared, cache: 'HIT' };
        // Another caller's limit says nothing about this one.
        if (shared.outcome !== 'limited') return shared;
      }
    } catch (error) {
      if (error instanceof DeadlineReached) return { outcome: 'unavailable' };
      throw error;
    }
  };
}

/** What came of a slot: an image, or the reason why it has none. */
interface SlotOutcome {
  readonly met: Met;
  readonly found?: FoundImage;
  readonly isLoose?: true;
}

/** Searches slot by slot, and serves the first image that is not loose, or else the first loose one. */
async function searchSlots(parts: Parts, search: Search): Promise<FoundImage> {
  const { slots, clock } = parts;
  let met: readonly Met[] = [];
  let loose: StockSlot | undefined;
  const { ownPhotos } = parts;
  const photo =
    ownPhotos && search.request.photos
      ? await findAmongPhotos({ ...parts, ...ownPhotos }, search)
      : undefined;
  if (ownPhotos?.isFirst && photo?.fit === 'exact') {
    const found = await servePhoto(parts, search.request.provider, photo, met);
    if (found) return found;
  }
  for (const slot of slotsToTry(slots, search.request)) {
    if (slots[slot].name === 'library') {
      const found = photo && (await servePhoto(parts, slot, photo, met));
      if (found) return found;
      continue;
    }
    if (requestsLeft(met) === 0) break;
    const outcome = await searchSlot(parts, search, slot, met, false);
    if (outcome.found) return outcome.found;
    met = [...met, outcome.met];
    if (outcome.isLoose) loose ??= slot;
    // What another slot has is not shown in place of what the caller may search for again soon.
    if (outcome.met.refusal && !loose) return { outcome: 'limited', refusal: outcome.met.refusal };
  }
  if (loose) {
    const outcome = await searchSlot(parts, search, loose, met, true);
    if (outcome.found) return outcome.found;
    met = [...met, outcome.met];
  }
  return notFound(met, clock.nowMs());
}

/** Requests that are left for the next slot: all of them where every one so far has failed. */
function requestsLeft(met: readonly Met[]): number {
  const answered = met.reduce((sum, { requestsSent, isFailed }) => sum + (isFailed ? 0 : requestsSent), 0);
  return Math.max(0, requestsPerSearchMax - answered);
}

/** @param before what the searches at earlier slots have met */
async function searchSlot(
  parts: Parts,
  search: Search,
  slot: StockSlot,
  before: readonly Met[],
  isLooseWanted: boolean,
): Promise<SlotOutcome> {
  const atProvider = { ...search, provider: parts.slots[slot], requestsMax: requestsLeft(before) };
  const { image, isLoose, findings, met } = await findAtProvider(parts, atProvider, isLooseWanted);
  const keeping = keepFindings(parts, atProvider, findings);
  if (!image) {
    await keeping;
    return { met, ...(isLoose && { isLoose }) };
  }
  const [found] = await Promise.all([serve(parts, slot, atProvider, image, [...before, met]), keeping]);
  // Without a request left to report the use with, the image cannot be shown.
  return found ? { met, found } : { met: { ...met, isFailed: true } };
}

/** @returns `undefined` where none of the photographs can be delivered in this size */
async function servePhoto(
  parts: Parts,
  slot: StockSlot,
  photo: FittingPhoto,
  met: readonly Met[],
): Promise<FoundImage | undefined> {
  const image = await deliverPhoto(parts, photo);
  return image && serve(parts, slot, photo.search, image, met);
}

/** @returns `undefined` where the use of the image cannot be reported now */
async function serve(
  parts: Parts,
  slot: StockSlot,
  search: ProviderSearch,
  image: SelectedImage,
  met: readonly Met[],
): Promise<FoundImage | undefined> {
  const cache = met.some(({ requestsSent }) => requestsSent > 0) ? 'MISS' : 'HIT';
  const served = await toServe(parts, slot, search, image);
  search.caller.usage?.expect({ source: slot, cache });
  const kept = await keepImage(parts, search, served, image.delivered.reportUrl);
  return kept && { outcome: 'found', image: kept, cache };
}

/** The image as the request is answered with it, with its placeholder where that is there already. */
async function toServe(
  deps: PlaceholderDeps,
  slot: StockSlot,
  search: ProviderSearch,
  { candidate, delivered, fit, isOther, keepUntilMs }: SelectedImage,
): Promise<KeptImage> {
  const { widthPx, heightPx, provider: preferred } = search.request;
  const pick = pickIdOf(search.provider.name, candidate.id);
  const placeholder = delivered.placeholder ?? (await placeholderFor(deps, search, candidate, pick));
  const fallbackUntilMs = slot === preferred ? Infinity : deps.clock.nowMs() + fallbackFreshForMs;
  return {
    location: delivered.location,
    widthPx,
    heightPx,
    source: slot,
    attribution: candidate.attribution,
    fit,
    ...(isOther && { fallback: 'other_image' as const }),
    ...describedBy(candidate.description),
    pick,
    ...(placeholder && { placeholder }),
    keepUntilMs: Math.min(keepUntilMs, fallbackUntilMs),
  };
}

/** Public id of a provider's image: 80 bits, no secret. */
function pickIdOf(provider: string, id: string): string {
  return sha256Hex(JSON.stringify(['pick', provider, id])).slice(0, 20);
}

/** @param met what the searches at all slots have met */
function notFound(met: readonly Met[], nowMs: number): FoundImage {
  if (!met.some(({ isFailed }) => isFailed)) return { outcome: 'none' };
  if (met.some(({ isRendererBusy }) => isRendererBusy))
    return { outcome: 'unavailable', isRendererBusy: true };
  const retryAtMs = Math.min(...met.map((each) => each.retryAtMs ?? Infinity));
  if (retryAtMs === Infinity) return { outcome: 'unavailable' };
  return { outcome: 'unavailable', retryAfterS: Math.max(1, Math.ceil((retryAtMs - nowMs) / 1_000)) };
}

/** The slots that can have an image under the licence that is asked for, each provider once, the preferred slot first. */
function slotsToTry(
  slots: Readonly<Record<StockSlot, StockProvider>>,
  { provider: preferred, filters: { license } }: StockRequest,
): readonly StockSlot[] {
  const ordered = [preferred, ...stockSlots.filter((slot) => slot !== preferred)];
  const names = ordered.map((slot) => slots[slot].name);
  return ordered.filter((slot, index) => {
    const { name, capability } = slots[slot];
    const isUnmet = license !== undefined && capability.unmetLicenses.includes(license);
    return names.indexOf(name) === index && !isUnmet;
  });
}
