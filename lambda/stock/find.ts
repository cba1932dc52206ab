/**
 * Finds a stock image: understands the words, takes the choice of each slot in turn, and delivers its n-th image. A request
 * that names its image by its pick gets that one and no other.
 */

import { withDeadline } from '../base/deadline';
import {
  isHotlinked,
  requestsPerSearchMax,
  type StockProviderName,
  type StockSlot,
} from '../contract/providers';
import { describedBy } from '../images/alt-text';
import { goneCard } from '../images/gone-card';
import type { ServedImage } from '../images/image';
import {
  type ImageItem,
  type KnownPhoto,
  noteGone,
  noteImage,
  pickOf,
  readImage,
} from '../images/picked-images';
import { type Refusal, serviceUnavailable } from '../problems/problem';
import { identityOf, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { answerKey, keepAnswer } from './answers';
import { freshUntilMs } from './choice';
import { type Chosen, checkEntry, choose, isOld, keepLearnt, type Learnt, type Search } from './choose';
import { type Delivered, deliver } from './deliver';
import type { Entry, FoundImage, Met } from './found';
import { placeOf } from './rank';
import { reportUse } from './report-use';
import { coverageOf } from './score';
import type { SearchCaller } from './search-caller';
import type { StockProvider } from './stock-provider';
import { type StockServices, slotsFor } from './stock-services';
import { understand } from './understand';

/** How long an image is kept that stands in for one of the asked slot, in milliseconds. */
const fallbackForMs = 300_000;
/** Images that one request tries at a provider. */
const triesMax = 5;
/** After which the source of an image that is gone is tried again, in milliseconds: it may have it back. */
const goneForMs = 24 * 3_600_000;

/** Concurrent requests for the same image in this instance share one search. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<FoundImage> {
  const { query, filters } = request;
  const begin = () => {
    if (request.pick !== undefined) return findPicked(services, request, request.pick, format, caller);
    const subject = understand(identityOf(query), filters.lang);
    return searchOrDraw(services, { request, subject, format, caller });
  };
  // What one caller shows says nothing about another.
  if (caller.claim) return begin();
  for (;;) {
    const { result, leads } = services.memory.finding(answerKey(services, request, format), begin);
    if (leads) return await result;
    const shared = await withDeadline(services.clock, services.deadline.endsMs, () => result);
    if (shared.outcome === 'found') return { ...shared, cache: 'HIT' };
    if (shared.outcome !== 'refused' || !shared.isOfCaller) return shared;
  }
}

/** What the slots have, or a drawing where the local service is to show something without a network. */
async function searchOrDraw(services: StockServices, search: Search): Promise<FoundImage> {
  const found = await searchSlots(services, search);
  if (found.outcome !== 'refused' || !services.onUnreached) return found;
  const slot = search.request.provider;
  const drawn = await choose(services, search, slot, services.providerOf('sandbox'), 0);
  services.onUnreached();
  return (await give(services, search, drawn, [])) ?? found;
}

/** Slot by slot: the first choice that fits, or else the loose one that covers most of the subject. */
async function searchSlots(services: StockServices, search: Search): Promise<FoundImage> {
  const { request, subject } = search;
  const { license, onmiss } = request.filters;
  const met: Met[] = [];
  const loose: { readonly chosen: Chosen; readonly coverage: number }[] = [];
  for (const slot of slotsFor(services.settings.bindings, request.provider)) {
    const provider = services.providerOf(services.settings.bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const chosen = await choose(services, search, slot, provider, requestsLeft(met));
    met.push(chosen);
    if (chosen.refusal && loose.length === 0)
      return { outcome: 'refused', refusal: chosen.refusal, isOfCaller: true };
    const best = chosen.kept?.value.entries[0];
    if (best?.fit === 'loose') loose.push({ chosen, coverage: coverageOf(best.candidate, subject) });
    if (!best || best.fit === 'loose') continue;
    const found = await give(services, search, chosen, met);
    if (found) return found;
  }
  // An image is generated in place of a loose one where the request says so.
  if (onmiss !== undefined && loose.length > 0) return { outcome: 'none' };
  for (const { chosen } of loose.sort((a, b) => b.coverage - a.coverage)) {
    const found = await give(services, search, chosen, met);
    if (found) return found;
  }
  return notFound(met, services.clock.nowMs());
}

/** Requests that are left for the next slot: those to a slot that failed do not count. */
function requestsLeft(met: readonly Met[]): number {
  const sent = met.reduce((sum, { requests, isFailed }) => sum + (isFailed ? 0 : requests), 0);
  return Math.max(0, requestsPerSearchMax - sent);
}

/**
 * Delivers the image of the seed, or the next one in the list that is not gone, removed, or shown by another slot of the
 * caller's page. What is gone leaves the choice.
 * @param met gets what delivering it has met
 * @returns `undefined` where none was delivered
 */
async function give(
  services: StockServices,
  search: Search,
  chosen: Chosen,
  met: Met[],
): Promise<FoundImage | undefined> {
  const { request, format, caller } = search;
  const { provider, kept } = chosen;
  const entries = kept?.value.entries ?? [];
  const first = placeOf(request.seed, Math.max(1, entries.length));
  const learnt: Learnt = { gone: new Set(), current: new Map() };
  let isSeeds = true;
  try {
    for (let step = 0, tries = 0; step < entries.length && tries < triesMax; step++) {
      const entry = entries[(first + step) % entries.length] as Entry;
      const pick = pickOf(provider.name, entry.candidate.id);
      const item = await readImage(services, pick);
      if (item?.removal) {
        learnt.gone.add(entry.candidate.id);
        continue;
      }
      if (caller.claim && !(await caller.claim(pick))) {
        // What the page shows already says nothing about the seed.
        isSeeds = false;
        continue;
      }
      tries++;
      const current = await currentEntry(services, provider, entry, search, met, learnt);
      const delivered = current && (await deliver(services, provider, current.candidate, request, format));
      if (current && delivered?.outcome === 'delivered')
        return await served(services, search, chosen, current, delivered, met, isSeeds);
      if (delivered?.outcome === 'failed') {
        met.push({ requests: 0, isFailed: true, isOutage: delivered.isBusy });
        return undefined;
      }
      // Images that cannot be loaded are the provider's failure, not a lack of images.
      met.push({ requests: 0, isFailed: true });
      if (delivered?.outcome === 'unanswered') continue;
      learnt.gone.add(entry.candidate.id);
      if (delivered && item) await noteGone(services, pick);
    }
  } finally {
    await keepLearnt(services, chosen, request, learnt);
  }
  return undefined;
}

/** An entry as its provider describes it now, where what is kept is old; `undefined` for one that is gone. */
async function currentEntry(
  services: StockServices,
  provider: StockProvider,
  entry: Entry,
  { caller: { asker, id } }: Search,
  met: Met[],
  { current }: Learnt,
): Promise<Entry | undefined> {
  if (!isOld(entry, provider, services.clock.nowMs())) return entry;
  const checked = await checkEntry(services, provider, entry, asker, requestsLeft(met), id);
  met.push({ requests: checked.requests });
  if (checked.outcome === 'exists') current.set(entry.candidate.id, checked.entry);
  return checked.outcome === 'gone' ? undefined : checked.entry;
}

type DeliveredImage = Extract<Delivered, { outcome: 'delivered' }>;

/** Answers with an image of a choice. @param isSeeds whether it is the image of the seed, so that the answer is kept */
async function served(
  services: StockServices,
  { request, format, caller }: Search,
  { slot, provider, kept }: Chosen,
  { candidate, fit, checkedMs }: Entry,
  delivered: DeliveredImage,
  met: readonly Met[],
  isSeeds: boolean,
): Promise<FoundImage> {
  const count = kept?.value.entries.length ?? 0;
  const nowMs = services.clock.nowMs();
  const name = provider.name as StockProviderName;
  const isAsked = slot === request.provider && name === services.settings.bindings[slot];
  const untilMs = kept && kept.version !== '' ? freshUntilMs(kept.value) : Infinity;
  // The asked slot takes over again, and a provider that failed answers again.
  const keepUntilMs = isAsked && untilMs > nowMs ? untilMs : nowMs + fallbackForMs;
  const photo = { provider: name, source: slot, candidate, fit, checkedMs };
  const image: ServedImage = {
    ...imageOf(photo, delivered, request),
    ...(Number(request.seed) > count && { seedsStartOverAfter: count }),
    ...(keepUntilMs !== Infinity && { keepUntilMs }),
  };
  return giveOut(services, photo, image, { request, format, caller }, met, isSeeds);
}

/** Keeps an image as the answer to its request and under its pick, and has its use reported where its provider wants that. */
async function giveOut(
  services: StockServices,
  photo: KnownPhoto,
  image: ServedImage,
  { request, format, caller }: Omit<Search, 'subject'>,
  met: readonly Met[],
  isKept = true,
): Promise<FoundImage> {
  const cache = met.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT';
  const color = image.color ?? image.placeholder?.color;
  await Promise.all([
    isKept && keepAnswer(services, request, format, photo.provider, image),
    noteImage(services, image.pick ?? '', photo, color),
    reportUse(services, image, caller.owner),
  ]);
  return { outcome: 'found', image, cache };
}

function imageOf(
  { provider, source, candidate, fit }: KnownPhoto,
  { location, placeholder, reportUrl }: DeliveredImage,
  { widthPx, heightPx }: StockRequest,
): ServedImage {
  return {
    location,
    widthPx,
    heightPx,
    source,
    attribution: candidate.attribution,
    fit,
    ...describedBy(candidate),
    pick: pickOf(provider, candidate.id),
    ...(reportUrl !== undefined && { use: { provider, url: reportUrl } }),
    ...(placeholder && { placeholder }),
  };
}

/**
 * Finds an image by its pick: the one that a page has written its text and credit for, or a calm card where that is gone.
 * No provider is searched; one whose URLs end is asked for new ones, from the budget for upkeep.
 */
async function findPicked(
  services: StockServices,
  request: StockRequest,
  pick: string,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<FoundImage> {
  const { clock, settings } = services;
  const item = await readImage(services, pick);
  if (item?.removal) {
    // The card of a removed AI image is shown to its account alone.
    return item.removal.kind === 'ai' ? { outcome: 'none' } : showCard(services, item, request, pick, format);
  }
  if (!item?.image || !('candidate' in item.image)) return { outcome: 'none' };
  const photo = item.image;
  // A slot was bound to it before own delivery was.
  if (settings.imageDelivery === 'own' && isHotlinked(photo.provider)) return { outcome: 'none' };
  const provider = services.providerOf(photo.provider);
  if (item.goneMs !== undefined && item.goneMs + goneForMs > clock.nowMs())
    return showCard(services, item, request, pick, format);
  const met: Met[] = [];
  let entry: Entry = photo;
  let isUnsure = false;
  if (provider.capability.urlsLastForMs !== undefined && isOld(photo, provider, clock.nowMs())) {
    const checked = await checkEntry(services, provider, photo, 'upkeep', 1, caller.id);
    met.push(checked);
    if (checked.outcome === 'gone') return showCard(services, item, request, pick, format);
    entry = checked.entry;
    isUnsure = checked.outcome === 'unknown';
  }
  const delivered = await deliver(services, provider, entry.candidate, request, format);
  if (delivered.outcome === 'delivered') {
    const current = { ...photo, ...entry };
    const image = imageOf(current, delivered, request);
    return giveOut(services, current, image, { request, format, caller }, met);
  }
  // A file may be missing because its URL has ended.
  if (delivered.outcome === 'broken' && !isUnsure) {
    services.telemetry.info('An image that pages may show is gone', { provider: photo.provider, pick });
    await noteGone(services, pick);
    return showCard(services, item, request, pick, format);
  }
  const isBusy = delivered.outcome === 'failed' && delivered.isBusy;
  const refusal = isBusy ? serviceUnavailable : ({ code: 'upstream_unavailable' } as const);
  return { outcome: 'refused', refusal, isOfCaller: false };
}

/** A card in the colour of an image that is gone. @throws when it is not rendered */
async function showCard(
  services: StockServices,
  { image, color }: ImageItem,
  request: StockRequest,
  pick: string,
  format: RenditionFormat,
): Promise<FoundImage> {
  const source: StockSlot = image && 'source' in image ? image.source : request.provider;
  const card = await goneCard(
    services,
    { pick, source, ...(color !== undefined && { color }) },
    request,
    format,
    services.deadline.endsMs,
  );
  await keepAnswer(services, request, format, 'library', card);
  return { outcome: 'found', image: card, cache: 'HIT' };
}

/** Why there is no image. @param met what the searches at all slots, and delivering what they found, have met */
function notFound(met: readonly Met[], nowMs: number): FoundImage {
  if (!met.some(({ isFailed }) => isFailed)) return { outcome: 'none' };
  const refused = (refusal: Refusal) => ({ outcome: 'refused', refusal, isOfCaller: false }) as const;
  if (met.some((each) => each.isOutage)) return refused(serviceUnavailable);
  const retryMs = Math.min(...met.map((each) => each.retryMs ?? Infinity));
  if (retryMs === Infinity) return refused({ code: 'upstream_unavailable' });
  const retryAfterS = Math.max(1, Math.ceil((retryMs - nowMs) / 1_000));
  return refused({ code: 'upstream_unavailable', retryAfterS });
}
