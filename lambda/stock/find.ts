/**
 * Finds a stock image: understands the words, takes the choice of each slot in turn, and delivers its n-th image. A request
 * that names its image by its pick gets that one and no other.
 */

import { secondsUntil } from '../base/window';
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
import { serviceUnavailable } from '../problems/problem';
import { identityOf, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { keepAnswer } from './answers';
import { type Asker, askProvider } from './ask-provider';
import {
  type Chosen,
  choiceFreshForMs,
  choose,
  freshUntilMs,
  keepChoice,
  type Search,
  withoutEntry,
} from './choice';
import { type Delivered, deliver } from './deliver';
import type { Entry, FoundImage, Met } from './found';
import { coverageOf, placeOf } from './rank';
import { reportUse } from './report-use';
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

/** What the slots have, or a drawing where the local service is to show something without a network. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<FoundImage> {
  const { query, filters, pick, provider: slot } = request;
  if (pick !== undefined) return findPicked(services, request, pick, format, caller);
  const search = { request, subject: understand(identityOf(query), filters.lang), format, caller };
  const found = await searchSlots(services, search);
  if (found.outcome !== 'refused' || !services.onUnreached) return found;
  services.onUnreached();
  const drawn = await choose(services, search, slot, services.providerOf('sandbox'), 0);
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
    const found = best && best.fit !== 'loose' && (await give(services, search, chosen, met));
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
  const sent = met.reduce((sum, { requests, failure }) => sum + (failure ? 0 : requests), 0);
  return Math.max(0, requestsPerSearchMax - sent);
}

/**
 * Delivers the image of the seed, or the next one in the list that is not gone, removed, or shown by another slot of the
 * caller's page. What is gone leaves the choice, and what its provider says of an image now is kept in it.
 * @param met gets what delivering it has met
 * @returns `undefined` where none was delivered
 */
async function give(
  services: StockServices,
  search: Search,
  chosen: Chosen,
  met: Met[],
): Promise<FoundImage | undefined> {
  const { request, caller } = search;
  const { provider, kept } = chosen;
  if (!kept) return undefined;
  const count = kept.value.entries.length;
  let choice = kept.value;
  let place = placeOf(request.seed, Math.max(1, count));
  let isSeeds = true;
  let found: FoundImage | undefined;
  for (let step = 0, tries = 0; step < count && tries < triesMax && choice.entries.length > 0; step++) {
    place %= choice.entries.length;
    const entry = choice.entries[place] as Entry;
    const pick = pickOf(provider.name, entry.candidate.id);
    const item = await readImage(services, pick);
    if (item?.removal) {
      choice = withoutEntry(choice, place);
      continue;
    }
    if (caller.claim && !(await caller.claim(pick))) {
      // What the page shows already says nothing about the seed.
      isSeeds = false;
      place++;
      continue;
    }
    tries++;
    const { current, delivered } = await deliverEntry(services, search, provider, entry, met);
    if (delivered.outcome === 'delivered') {
      if (current !== entry) choice = { ...choice, entries: choice.entries.with(place, current) };
      found = await served(services, search, chosen, current, delivered, met, isSeeds);
      break;
    }
    if (delivered.outcome === 'refused') return { ...delivered, isOfCaller: true };
    // Images that cannot be loaded are the provider's failure, not a lack of images.
    met.push({ requests: 0, failure: { isOutage: delivered.outcome === 'busy' } });
    if (delivered.outcome === 'busy' || delivered.outcome === 'failed') break;
    if (delivered.outcome === 'unanswered') place++;
    else {
      choice = withoutEntry(choice, place);
      if (item) await noteGone(services, pick);
    }
  }
  if (choice !== kept.value && kept.version !== '')
    await keepChoice(services, provider, request, choice, kept);
  return found;
}

/** Delivers an entry as its provider describes it now, where what is kept is old; `broken` where it has it no longer. */
async function deliverEntry(
  services: StockServices,
  { request, format, caller }: Search,
  provider: StockProvider,
  entry: Entry,
  met: Met[],
): Promise<{ readonly current: Entry; readonly delivered: Delivered }> {
  let current: Entry | undefined = entry;
  if (isOld(entry, provider, services.clock.nowMs())) {
    const { asker, id } = caller;
    const checked = await checkEntry(services, provider, entry, asker, requestsLeft(met), id);
    met.push({ requests: checked.requests });
    current = checked.current;
  }
  if (!current) return { current: entry, delivered: { outcome: 'broken' } };
  const { candidate } = current;
  return { current, delivered: await deliver(services, provider, candidate, request, format, caller) };
}

/** Whether what a provider said of an image is too old to deliver by. */
function isOld({ checkedMs }: Entry, { capability }: StockProvider, nowMs: number): boolean {
  return checkedMs + (capability.urlsLastForMs ?? choiceFreshForMs) <= nowMs;
}

/**
 * Asks a provider what it says of an image now.
 * @returns `current` is absent where it no longer has it; the entry that was given where it did not say
 */
async function checkEntry(
  services: StockServices,
  provider: StockProvider,
  entry: Entry,
  asker: Asker,
  requestsMax: number,
  id: string,
): Promise<{ readonly requests: number; readonly current?: Entry }> {
  const { candidate } = entry;
  const { byId } = provider;
  const checkedMs = services.clock.nowMs();
  if (!byId) return { requests: 0, current: { ...entry, checkedMs } };
  const reply = await askProvider(services, provider, { asker, requestsMax, id }, (signal) =>
    byId(candidate.id, signal),
  );
  const { requests } = reply;
  if (reply.outcome !== 'answered') return { requests, current: entry };
  if (!reply.answer) return { requests };
  // What a search said about the image is kept: an answer by id says less, and has no rank.
  const said = { ...candidate, ...reply.answer, description: candidate.description };
  return { requests, current: { ...entry, candidate: said, checkedMs } };
}

/** Answers with an image of a choice. @param isSeeds whether it is the image of the seed, so that the answer is kept */
async function served(
  services: StockServices,
  search: Search,
  { slot, provider, kept }: Chosen,
  { candidate, fit, checkedMs }: Entry,
  delivered: DeliveredImage,
  met: readonly Met[],
  isSeeds: boolean,
): Promise<FoundImage> {
  const { request } = search;
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
  return giveOut(services, photo, image, search, met, isSeeds);
}

type DeliveredImage = Extract<Delivered, { outcome: 'delivered' }>;

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

/** Keeps an image as the answer to its request and under its pick, and has its use reported where its provider wants that. */
async function giveOut(
  services: StockServices,
  photo: KnownPhoto,
  image: ServedImage,
  { request, format, caller }: Omit<Search, 'subject'>,
  met: readonly Met[],
  isKept = true,
): Promise<FoundImage> {
  await Promise.all([
    isKept && keepAnswer(services, request, format, photo.provider, image),
    noteImage(services, image.pick ?? '', photo, image.color ?? image.placeholder?.color),
    reportUse(services, image, caller.owner),
  ]);
  return { outcome: 'found', image, cache: met.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT' };
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
  const { clock, settings, telemetry } = services;
  const item = await readImage(services, pick);
  // The card of a removed AI image is shown to its account alone.
  if (item?.removal && item.removal.kind !== 'ai') return showCard(services, item, request, pick, format);
  if (item?.removal || !item?.image || !('candidate' in item.image)) return { outcome: 'none' };
  const photo = item.image;
  // A slot was bound to it before own delivery was.
  if (settings.imageDelivery === 'own' && isHotlinked(photo.provider)) return { outcome: 'none' };
  if (item.goneMs !== undefined && item.goneMs + goneForMs > clock.nowMs())
    return showCard(services, item, request, pick, format);
  const provider = services.providerOf(photo.provider);
  const isEnded = provider.capability.urlsLastForMs !== undefined && isOld(photo, provider, clock.nowMs());
  const checked = isEnded
    ? await checkEntry(services, provider, photo, 'upkeep', 1, caller.id)
    : { requests: 0, current: photo };
  const { current } = checked;
  const delivered: Delivered = current
    ? await deliver(services, provider, current.candidate, request, format, caller)
    : { outcome: 'broken' };
  if (current && delivered.outcome === 'delivered') {
    const shown = { ...photo, ...current };
    const search = { request, format, caller };
    return giveOut(services, shown, imageOf(shown, delivered, request), search, [checked]);
  }
  if (delivered.outcome === 'refused') return { ...delivered, isOfCaller: true };
  // A file may be missing because its URL has ended, and nobody said a new one.
  if (delivered.outcome === 'broken' && !(isEnded && current === photo)) {
    telemetry.info('An image that pages may show is gone', { provider: photo.provider, pick });
    await noteGone(services, pick);
    return showCard(services, item, request, pick, format);
  }
  return refusedFor(delivered.outcome === 'busy');
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
  const gone = { pick, source, ...(color !== undefined && { color }) };
  const card = await goneCard(services, gone, request, format, services.deadline.endsMs);
  await keepAnswer(services, request, format, 'library', card);
  return { outcome: 'found', image: card, cache: 'HIT' };
}

/** Why there is no image. @param met what the searches at all slots, and delivering what they found, have met */
function notFound(met: readonly Met[], nowMs: number): FoundImage {
  const failures = met.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return { outcome: 'none' };
  const retryMs = Math.min(...failures.map((each) => each.retryMs ?? Infinity));
  return refusedFor(
    failures.some(({ isOutage }) => isOutage),
    secondsUntil(retryMs, nowMs),
  );
}

/** @param retryAfterS seconds after which it may be asked for again; `Infinity` where that is not known */
function refusedFor(isOutage: boolean, retryAfterS = Infinity): FoundImage {
  const upstream = {
    code: 'upstream_unavailable',
    ...(retryAfterS !== Infinity && { retryAfterS }),
  } as const;
  return { outcome: 'refused', refusal: isOutage ? serviceUnavailable : upstream, isOfCaller: false };
}
