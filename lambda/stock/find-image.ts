/** Finds an image that is not known yet: slot by slot, each provider once; the first fitting image is stored and served. */

import type { Clock, Ids } from '../base/clock';
import { DeadlineReached, withDeadline } from '../base/deadline';
import type { LookupCache } from '../base/lookup-cache';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import { type StockSlot, stockSlots } from '../contract/providers';
import { useClaimMs } from '../contract/timeouts';
import { describedBy } from '../images/alt-text';
import type { ServedImage } from '../images/image';
import type { Background } from '../images/renderer';
import type { ChargeRefusal } from '../problems/problem';
import { type StockRequest, sha256Hex } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { type Asker, createAsk, createLookup, type Lookup } from './ask-provider';
import { type Budget, createBudget } from './budget';
import { createCandidates } from './candidates';
import { createCircuit } from './circuit';
import { type FindInSlotDeps, type FoundInSlot, findInSlot } from './find-in-slot';
import type { KnownImages } from './known-images';
import { createPicks } from './picks';
import { type PlaceholderDeps, placeholderFor } from './placeholder';
import type { StockProvider } from './stock-provider';

/** How long an image of a fallback slot is kept, in milliseconds, so that the asked slot takes over again. */
const fallbackFreshForMs = 300_000;

export type FoundImage =
  | {
      readonly outcome: 'found';
      readonly image: ServedImage;
      /** `MISS` only for the one request that caused a provider to be asked. */
      readonly cache: 'HIT' | 'MISS';
    }
  /** Every provider answered and none has a fitting image. */
  | { readonly outcome: 'none' }
  /** A provider would have to be asked, and the caller has asked as often as it may. */
  | { readonly outcome: 'limited'; readonly refusal: ChargeRefusal }
  /** No image was found and at least one provider, or the way to it, failed. */
  | {
      readonly outcome: 'unavailable';
      /** Seconds after which a provider is asked again; absent where the next request may ask one. */
      readonly retryAfterS?: number;
    };

/** @param deadlineMs moment (epoch) by which there is an answer */
export type FindImage = (
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  asker: Asker,
) => Promise<FoundImage>;

export interface FindImageDeps extends Omit<FindInSlotDeps, 'candidates' | 'picks'>, PlaceholderDeps {
  readonly slots: Readonly<Record<StockSlot, StockProvider>>;
  readonly known: Pick<KnownImages, 'keyOf' | 'remember' | 'store'>;
  readonly lookups: LookupCache;
  readonly background: Background;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly ids: Pick<Ids, 'hex'>;
}

interface Parts extends FindImageDeps, FindInSlotDeps {
  readonly budget: Budget;
}

export function createFindImage(deps: FindImageDeps): FindImage {
  const budget = createBudget(deps);
  const ask = createAsk({ ...deps, circuit: createCircuit(deps), budget });
  const candidates = createCandidates({ ...deps, ask });
  const parts: Parts = { ...deps, budget, candidates, picks: createPicks({ ...deps, ask }) };
  const searching = createSingleFlight<FoundImage>();

  return async (request, format, deadlineMs, asker) => {
    const key = deps.known.keyOf(request, format);
    try {
      for (;;) {
        const { result, leads } = searching(key, () =>
          searchSlots(parts, request, format, deadlineMs, asker),
        );
        if (leads) return await result;
        const found = await withDeadline(deps.clock, deadlineMs, () => result);
        if (found.outcome === 'found') return { ...found, cache: 'HIT' };
        // Another caller's limit says nothing about this one.
        if (found.outcome !== 'limited') return found;
      }
    } catch (error) {
      if (error instanceof DeadlineReached) return { outcome: 'unavailable' };
      throw error;
    }
  };
}

async function searchSlots(
  parts: Parts,
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  asker: Asker,
): Promise<FoundImage> {
  const { slots, clock } = parts;
  const tried: Lookup[] = [];
  for (const slot of slotsToTry(slots, request)) {
    const lookup = createLookup(slots[slot], request, format, deadlineMs, asker);
    tried.push(lookup);
    const found = await findInSlot(parts, lookup);
    if (!found) {
      await Promise.all(lookup.writes);
      // What another slot has is not shown in place of what the caller may ask for again soon.
      if (lookup.refusal) return { outcome: 'limited', refusal: lookup.refusal };
      continue;
    }

    const image = await imageOf(parts, slot, lookup, found);
    const cache = tried.some(({ requestsSent }) => requestsSent > 0) ? 'MISS' : 'HIT';
    asker.usage?.expect({ source: slot, cache });
    const storing = storeAndReport(parts, lookup, image, found.delivered.reportUrl);
    const [served] = await Promise.all([storing, ...lookup.writes]);
    if (served) return { outcome: 'found', image: served, cache };
    lookup.failed = true;
  }
  return notFound(tried, clock.nowMs());
}

/** What a request is answered with, and until when it may be kept. */
type StoredImage = ServedImage & { readonly keepUntilMs: number };

async function imageOf(
  deps: PlaceholderDeps,
  slot: StockSlot,
  lookup: Lookup,
  { candidate, delivered, fit, isOther, keepUntilMs }: FoundInSlot,
): Promise<StoredImage> {
  const { widthPx, heightPx, provider: askedFor } = lookup.request;
  const pick = pickIdOf(lookup.provider.name, candidate.id);
  const placeholder = delivered.placeholder ?? (await placeholderFor(deps, lookup, candidate, pick));
  const fallbackUntilMs = slot === askedFor ? Infinity : deps.clock.nowMs() + fallbackFreshForMs;
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

/** @param tried the lookups at all slots */
function notFound(tried: readonly Lookup[], nowMs: number): FoundImage {
  if (!tried.some(({ failed }) => failed)) return { outcome: 'none' };
  const retryAtMs = Math.min(...tried.map((lookup) => lookup.retryAtMs ?? Infinity));
  if (retryAtMs === Infinity) return { outcome: 'unavailable' };
  return { outcome: 'unavailable', retryAfterS: Math.max(1, Math.ceil((retryAtMs - nowMs) / 1_000)) };
}

/** The slots that can have an image under the licence that is asked for, each provider once. */
function slotsToTry(
  slots: Readonly<Record<StockSlot, StockProvider>>,
  { provider: askedFor, filters: { license } }: StockRequest,
): readonly StockSlot[] {
  const isUnmet = (slot: StockSlot) =>
    license !== undefined && slots[slot].capability.unmetLicenses.includes(license);
  return distinctSlots(slots, askedFor).filter((slot) => !isUnmet(slot));
}

/** The slots to try, without those bound to a provider that an earlier one is bound to. */
function distinctSlots(
  slots: Readonly<Record<StockSlot, StockProvider>>,
  askedFor: StockSlot,
): readonly StockSlot[] {
  const names = new Set<string>();
  return [askedFor, ...stockSlots.filter((slot) => slot !== askedFor)].filter((slot) => {
    const isNew = !names.has(slots[slot].name);
    names.add(slots[slot].name);
    return isNew;
  });
}

/**
 * Stores an image as the answer to a request. Where the provider wants each use reported, exactly one of the requests
 * for the same image hands the report over, and its call is taken from the provider's budget. Never throws.
 * @returns the image to be served: another request's, where that one has stored its answer meanwhile; `undefined` when
 * no call is left to report the use with
 */
async function storeAndReport(
  { known, lookups, budget, background, ids, telemetry }: Parts,
  { provider: { name: provider, capability }, request, format, asker }: Lookup,
  image: StoredImage,
  reportUrl: string | undefined,
): Promise<ServedImage | undefined> {
  const key = known.keyOf(request, format);
  if (reportUrl === undefined) {
    await known.store(key, image, image.keepUntilMs);
    return image;
  }
  const holder = ids.hex(8);
  try {
    const lease = await lookups.lease<ServedImage>(key, holder, useClaimMs);
    if (lease.outcome !== 'leased') {
      const { value, freshUntilMs } =
        lease.outcome === 'fresh' ? lease.cached : { value: image, freshUntilMs: image.keepUntilMs };
      known.remember(key, value, freshUntilMs);
      return value;
    }
  } catch (error) {
    // Reporting a use twice does less harm than not reporting it.
    telemetry.error('A use of a stock image was not claimed', error, { provider });
  }
  if (await budget.take({ name: provider, capability }, asker.use)) {
    telemetry.count('providerFailures', { provider, kind: 'budget' });
    await lookups.release(key, holder).catch(() => undefined); // It ends by itself.
    return undefined;
  }
  await known.store(key, image, image.keepUntilMs);
  try {
    await background.handOver({ kind: 'report-use', provider, url: reportUrl });
    telemetry.count('usageReports', { provider, outcome: 'handed-over' });
  } catch (error) {
    telemetry.count('usageReports', { provider, outcome: 'lost' });
    telemetry.error('A use was not handed over to be reported', error, { provider });
  }
  return image;
}
