/** Finds an image that is not known yet: slot by slot, each provider once; the first fitting image is stored and served. */

import type { Clock, Ids } from '../base/clock';
import { withDeadline } from '../base/deadline';
import type { Cache, StockMemory } from '../base/item-store';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import { requestsPerSearchMax, type StockSlot, stockSlots } from '../contract/providers';
import { type Refusal, serviceUnavailable } from '../problems/problem';
import { identityOf, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { createBudget } from './budget';
import type { CachedImages } from './cached-images';
import { createCandidates } from './candidates';
import { createCircuit } from './circuit';
import { findAmongPhotos } from './find-among-photos';
import { type FindAtProviderDeps, findAtProvider } from './find-at-provider';
import { findPicked, type PickedDeps } from './find-picked';
import { type FoundImage, keepFindings, keepImage, type NotFound } from './keep-image';
import { createPicks } from './picks';
import { createSendRequest, type Met, type Search } from './provider-request';
import type { SearchCaller } from './search-caller';
import type { StockProvider } from './stock-provider';
import { understand } from './understand';

/** @param deadlineMs moment (epoch, milliseconds) by which there is an answer */
export type FindImage = (
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  caller: SearchCaller,
) => Promise<FoundImage>;

/** What a search for an image takes. */
export interface FindImageDeps
  extends Omit<FindAtProviderDeps, 'candidates' | 'picks'>,
    Omit<PickedDeps, 'picks' | 'candidates'> {
  readonly slots: Readonly<Record<StockSlot, StockProvider>>;
  readonly stockMemory: StockMemory;
  readonly cachedImages: Pick<CachedImages, 'keyOf' | 'store'>;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly ids: Pick<Ids, 'hex'>;
}

/** With what providers offer, and what was selected of it. */
type Parts = FindImageDeps & Pick<FindAtProviderDeps, 'candidates' | 'picks'>;

function partsOf(deps: FindImageDeps): Parts {
  const budget = createBudget(deps);
  const send = createSendRequest({ ...deps, circuit: createCircuit(deps), budget });
  const candidates = createCandidates({ ...deps, send });
  return { ...deps, candidates, picks: createPicks({ ...deps, send }) };
}

/** Concurrent requests for the same image in this instance share one search. */
export function createFindImage(deps: FindImageDeps): FindImage {
  const parts = partsOf(deps);
  const searching = createSingleFlight<FoundImage>();

  return async (request, format, deadlineMs, caller) => {
    const { query, pick, filters } = request;
    // What ends a search for callers without keys may not end it for others.
    const key = `${caller.share},${deps.cachedImages.keyOf(request, format)}`;
    const search: Search = {
      request,
      subject: understand(identityOf(query), filters.lang),
      format,
      deadlineMs,
      caller,
    };
    for (;;) {
      const begin = () => (pick === undefined ? searchSlots(parts, search) : findPicked(parts, pick, search));
      // What one caller shows says nothing about another.
      if (caller.claim) return await begin();
      const { result, leads } = searching(key, begin);
      if (leads) return await result;
      const shared = await withDeadline(deps.clock, deadlineMs, () => result);
      if (shared.outcome === 'found') return { ...shared, cache: 'HIT' };
      // Another caller's limit says nothing about this one.
      if (shared.outcome !== 'limited') return shared;
    }
  };
}

/** Searches slot by slot, and serves the first image that is not loose, or else the loose one that covers most of the subject. */
async function searchSlots(parts: Parts, search: Search): Promise<FoundImage> {
  const { slots, clock } = parts;
  let met: readonly Met[] = [];
  const loose: { readonly slot: StockSlot; readonly coverage: number }[] = [];
  for (const slot of slotsToTry(slots, search.request)) {
    if (requestsLeft(met) === 0 && slots[slot].name !== 'library') break;
    const outcome = await searchSlot(parts, search, slot, met, false);
    if (outcome.served) return outcome.served;
    met = [...met, outcome.met];
    if (outcome.looseCoverage !== undefined) loose.push({ slot, coverage: outcome.looseCoverage });
    // What another slot has is not shown in place of what the caller may search for again soon.
    if (outcome.met.refusal && loose.length === 0)
      return { outcome: 'limited', refusal: outcome.met.refusal };
  }
  for (const { slot } of loose.sort((a, b) => b.coverage - a.coverage)) {
    const outcome = await searchSlot(parts, search, slot, met, true);
    if (outcome.served) return outcome.served;
    met = [...met, outcome.met];
  }
  return notFound(met, clock.nowMs());
}

/** Requests that are left for the next slot: all of them where every one so far has failed. */
function requestsLeft(met: readonly Met[]): number {
  const answered = met.reduce((sum, { requestsSent, isFailed }) => sum + (isFailed ? 0 : requestsSent), 0);
  return Math.max(0, requestsPerSearchMax - answered);
}

/** Where a search at one slot has led. */
interface SearchedSlot {
  readonly met: Met;
  readonly served: FoundImage | undefined;
  /** How much of the subject the loose image covers that was not wanted, from 0 to 1. */
  readonly looseCoverage: number | undefined;
}

/**
 * Searches and selects at the provider of a slot, delivers the image, and keeps it.
 * @param before what the searches at earlier slots have met
 */
async function searchSlot(
  parts: Parts,
  search: Search,
  slot: StockSlot,
  before: readonly Met[],
  isLooseWanted: boolean,
): Promise<SearchedSlot> {
  if (parts.slots[slot].name === 'library') return searchLibrary(parts, search, slot, before, isLooseWanted);
  const atProvider = { ...search, provider: parts.slots[slot], requestsMax: requestsLeft(before) };
  const { image, looseCoverage, findings } = await findAtProvider(parts, atProvider, isLooseWanted);
  const { met } = findings;
  const [served] = await Promise.all([
    image && keepImage(parts, slot, atProvider, image, [...before, met]),
    keepFindings(parts, atProvider, findings),
  ]);
  return { met, served, looseCoverage };
}

/** As `searchSlot`, among the photographs of the operator: without a request, and without findings to keep. */
async function searchLibrary(
  parts: Parts,
  search: Search,
  slot: StockSlot,
  before: readonly Met[],
  isLooseWanted: boolean,
): Promise<SearchedSlot> {
  const among = { ...search, provider: parts.libraryOf(search.request.photos ?? []), requestsMax: 0 };
  const { image, looseCoverage } = await findAmongPhotos(parts, among, isLooseWanted);
  const served = image && (await keepImage(parts, slot, among, image, before));
  return { met: { requestsSent: 0 }, served, looseCoverage };
}

/** Why there is no image. @param met what the searches at all slots have met */
export function notFound(met: readonly Met[], nowMs: number): NotFound {
  if (!met.some(({ isFailed }) => isFailed)) return { outcome: 'none' };
  return { outcome: 'unavailable', refusal: refusalAfter(met, nowMs) };
}

function refusalAfter(met: readonly Met[], nowMs: number): Refusal {
  if (met.some(({ isOutage, isRendererBusy }) => isOutage || isRendererBusy)) return serviceUnavailable;
  const retryAtMs = Math.min(...met.map((each) => each.retryAtMs ?? Infinity));
  if (retryAtMs === Infinity) return { code: 'upstream_unavailable' };
  return { code: 'upstream_unavailable', retryAfterS: Math.max(1, Math.ceil((retryAtMs - nowMs) / 1_000)) };
}

/** The slots that can have an image under the licence that is asked for, each provider once, the preferred slot first. */
function slotsToTry(
  slots: Readonly<Record<StockSlot, StockProvider>>,
  { provider: preferred, filters: { license } }: StockRequest,
): readonly StockSlot[] {
  const ordered = [preferred, ...stockSlots];
  const names = ordered.map((slot) => slots[slot].name);
  return ordered.filter((slot, index) => {
    const { name, capability } = slots[slot];
    const isUnmet = license !== undefined && capability.unmetLicenses.includes(license);
    return names.indexOf(name) === index && !isUnmet;
  });
}
