/**
 * Finds a stock image: understands the words, takes the choice of each slot in turn, and delivers the image
 * of the seed. A request with a pick gets that image and no other.
 */

import { secondsUntil } from '../base/window';
import { mustHotlink, requestsPerSearchMax, type StockSlot } from '../contract/providers';
import { describedBy } from '../images/alt-text';
import { goneCard } from '../images/gone-card';
import type { ServedImage } from '../images/image';
import {
  type Entry,
  type ImageItem,
  type KnownPhoto,
  keepImage,
  markGone,
  pickOf,
  readImage,
} from '../images/picked-images';
import { type Refusal, serviceUnavailable } from '../problems/problem';
import { identityOf, type StockRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';
import { keepAnswer } from './answers';
import { type Asker, askProvider } from './ask-provider';
import { type Chosen, choiceFreshForMs, choose, freshUntilMs, keepChoice, withoutEntry } from './choice';
import { type Delivered, type DeliveredImage, deliverCandidate } from './deliver';
import { coverageOf, placeOf } from './rank';
import { reportUse } from './report-use';
import type { Choice, FoundImage, Search, SearchStep } from './search';
import { mayShow, type SearchCaller } from './search-caller';
import type { StockProvider } from './stock-provider';
import { type StockServices, slotsFor } from './stock-services';
import { understand } from './understand';

/** How long an image of another slot or of a failing provider answers, in milliseconds. */
const fallbackForMs = 300_000;
/** Images of a choice that one request tries to deliver. */
const triesMax = 5;
/** After how long the source of an image that is gone is tried again, in milliseconds. */
const goneForMs = 24 * 3_600_000;

/** A request for a stock image, by words or by a pick. */
type Order = Omit<Search, 'subject'>;

/** Finds an image at the slots, or draws one where the local service reaches no provider. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<FoundImage> {
  const { query, filters, pick, provider: slot } = request;
  const order = { request, format, caller };
  if (pick !== undefined) return findPicked(services, order, pick);
  const search = { ...order, subject: understand(identityOf(query), filters.lang) };
  const found = await searchSlots(services, search);
  if (found.outcome !== 'refused' || !services.onUnreached) return found;
  services.onUnreached();
  const drawn = await choose(services, search, slot, services.providerOf('sandbox'), requestsPerSearchMax);
  return (await deliverChosen(services, search, drawn, [drawn])) ?? found;
}

/** Searches slot by slot for a choice that fits, or takes the loose one that covers most of the subject. */
async function searchSlots(services: StockServices, search: Search): Promise<FoundImage> {
  const { request, subject } = search;
  const { license, onmiss } = request.filters;
  const steps: SearchStep[] = [];
  const loose: { readonly chosen: Chosen; readonly coverage: number }[] = [];
  for (const slot of slotsFor(services.settings.bindings, request.provider)) {
    const provider = services.providerOf(services.settings.bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const chosen = await choose(services, search, slot, provider, requestsLeft(steps));
    steps.push(chosen);
    if (chosen.refusal && loose.length === 0)
      return { outcome: 'refused', refusal: chosen.refusal, isOfCaller: true };
    const best = chosen.kept?.value.entries[0];
    if (best?.fit === 'loose') loose.push({ chosen, coverage: coverageOf(best.candidate, subject) });
    const found = best && best.fit !== 'loose' && (await deliverChosen(services, search, chosen, steps));
    if (found) return found;
  }
  // `onmiss=ai` prefers an AI image to a loose one.
  if (onmiss !== undefined && loose.length > 0) return { outcome: 'none' };
  for (const { chosen } of loose.sort((a, b) => b.coverage - a.coverage)) {
    const found = await deliverChosen(services, search, chosen, steps);
    if (found) return found;
  }
  return notFound(steps, services.clock.nowMs());
}

/** Provider requests that are left for the next slot. Those to a slot that failed do not count. */
function requestsLeft(steps: readonly SearchStep[]): number {
  const sent = steps.reduce((sum, { requests, failure }) => sum + (failure ? 0 : requests), 0);
  return Math.max(0, requestsPerSearchMax - sent);
}

/**
 * Delivers an image of a choice and answers with it. What is gone leaves the choice, and what its provider
 * says of the image now is kept in it.
 * @param steps gets those of delivering it
 * @returns `undefined` where no image of the choice could be delivered
 */
async function deliverChosen(
  services: StockServices,
  search: Search,
  chosen: Chosen,
  steps: SearchStep[],
): Promise<FoundImage | undefined> {
  const { request } = search;
  const { provider, kept } = chosen;
  if (!kept) return undefined;
  const { choice, shown, refusal } = await firstDeliverable(services, search, provider, kept.value, steps);
  if (refusal) return { outcome: 'refused', refusal, isOfCaller: true };
  let found: FoundImage | undefined;
  if (shown) {
    const count = kept.value.entries.length;
    const photo = { provider: provider.name, source: chosen.slot, ...shown.entry };
    found = await answerWith(services, search, photo, shown.image, steps, shown.isOfSeed, {
      ...(Number(request.seed) > count && { seedsStartOverAfter: count }),
      ...endOf(services, search, chosen),
    });
  }
  if (choice !== kept.value && kept.version !== '')
    await keepChoice(services, provider, request, choice, kept);
  return found;
}

/** What came of delivering the images of a choice, one after the other. */
interface Tried {
  /** The choice without the images that are gone. */
  readonly choice: Choice;
  /** The image that was delivered; absent where none could be. */
  readonly shown?: {
    readonly entry: Entry;
    readonly image: DeliveredImage;
    /** False for an image that a page shows in place of that of the seed. */
    readonly isOfSeed: boolean;
  };
  /** Present where a rendition is needed, and the caller has had as many made as it may. */
  readonly refusal?: Refusal;
}

/** Delivers the image of the seed, or the next one that is not gone, removed or shown elsewhere. */
async function firstDeliverable(
  services: StockServices,
  search: Search,
  provider: StockProvider,
  kept: Choice,
  steps: SearchStep[],
): Promise<Tried> {
  const { request, caller } = search;
  const count = kept.entries.length;
  const lastsForMs = provider.capability.urlsLastForMs ?? choiceFreshForMs;
  let choice = kept;
  let place = placeOf(request.seed, Math.max(1, count));
  let isOfSeed = true;
  for (let seen = 0, tries = 0; seen < count && tries < triesMax && choice.entries.length > 0; seen++) {
    place %= choice.entries.length;
    const entry = choice.entries[place] as Entry;
    const pick = pickOf(provider.name, entry.candidate.id);
    const item = await readImage(services, pick);
    if (item?.removal) {
      choice = withoutEntry(choice, place);
      continue;
    }
    if (!(await mayShow(caller, pick))) {
      isOfSeed = false;
      place++;
      continue;
    }
    tries++;
    const budget = { asker: caller.asker, requestsMax: requestsLeft(steps) };
    const attempt = await deliverCurrent(services, search, provider, entry, lastsForMs, budget);
    const { current, delivered, requests } = attempt;
    steps.push({ requests });
    if (delivered.outcome === 'delivered') {
      if (current !== entry) choice = { ...choice, entries: choice.entries.with(place, current) };
      return { choice, shown: { entry: current, image: delivered, isOfSeed } };
    }
    if (delivered.outcome === 'refused') return { choice, refusal: delivered.refusal };
    // Images that cannot be loaded are the provider's failure, not a lack of images.
    steps.push({ requests: 0, failure: { isOutage: delivered.outcome === 'busy' } });
    if (delivered.outcome === 'busy' || delivered.outcome === 'failed') break;
    if (delivered.outcome === 'unanswered') place++;
    else {
      choice = withoutEntry(choice, place);
      if (item) await markGone(services, pick);
    }
  }
  return { choice };
}

/** Until when an image of a choice answers its request; empty where no kept choice can change. */
function endOf(
  { settings, clock }: StockServices,
  { request }: Order,
  { slot, provider, kept }: Chosen,
): Pick<ServedImage, 'keepUntilMs'> {
  const nowMs = clock.nowMs();
  const isAsked = slot === request.provider && provider.name === settings.bindings[slot];
  const untilMs = kept && kept.version !== '' ? freshUntilMs(kept.value) : Infinity;
  // Soon the slot that was asked for, or the provider that failed, may answer again.
  if (!isAsked || untilMs <= nowMs) return { keepUntilMs: nowMs + fallbackForMs };
  return untilMs === Infinity ? {} : { keepUntilMs: untilMs };
}

/**
 * Delivers an image. Its provider is asked for it again first where its description is too old.
 * @param lastsForMs how long a description is valid, in milliseconds
 * @returns `current`: the image as its provider describes it now, or `known` where it did not answer;
 * `broken` where the provider no longer has it
 */
async function deliverCurrent(
  services: StockServices,
  { request, format, caller }: Order,
  provider: StockProvider,
  known: Entry,
  lastsForMs: number,
  budget: { readonly asker: Asker; readonly requestsMax: number },
): Promise<{ readonly current: Entry; readonly delivered: Delivered; readonly requests: number }> {
  const { candidate } = known;
  const nowMs = services.clock.nowMs();
  let current: Entry | undefined = known;
  let requests = 0;
  const isOld = known.checkedMs + lastsForMs <= nowMs;
  if (isOld && provider.byId) {
    const reply = await askProvider(services, provider, { ...budget, id: caller.id }, (signal) =>
      (provider.byId as NonNullable<StockProvider['byId']>)(candidate.id, signal),
    );
    requests = reply.requests;
    if (reply.outcome === 'answered') {
      // Keep the description of the search: an answer by id says less, and has no rank.
      const described = reply.answer && { ...candidate, ...reply.answer, description: candidate.description };
      current = described && { ...known, candidate: described, checkedMs: nowMs };
    }
  }
  if (!current) return { current: known, delivered: { outcome: 'broken' }, requests };
  const delivered = await deliverCandidate(services, provider, current.candidate, request, format, caller);
  // The provider did not answer with a new URL, so the file may be missing only because its URL has ended.
  const isUnknown = isOld && provider.byId !== undefined && current === known;
  if (delivered.outcome === 'broken' && isUnknown)
    return { current, delivered: { outcome: 'unanswered' }, requests };
  return { current, delivered, requests };
}

/** Answers with an image: keeps the answer, stores the image under its pick, has its use reported. */
async function answerWith(
  services: StockServices,
  { request, format, caller }: Order,
  photo: KnownPhoto,
  { location, placeholder, reportUrl }: DeliveredImage,
  steps: readonly SearchStep[],
  isKept = true,
  more: Pick<ServedImage, 'keepUntilMs' | 'seedsStartOverAfter'> = {},
): Promise<FoundImage> {
  const { provider, source, candidate, fit, checkedMs } = photo;
  const { widthPx, heightPx } = request;
  const pick = pickOf(provider, candidate.id);
  const image: ServedImage = {
    location,
    widthPx,
    heightPx,
    source,
    attribution: candidate.attribution,
    fit,
    ...describedBy(candidate),
    pick,
    ...(reportUrl !== undefined && { use: { provider, url: reportUrl } }),
    ...(placeholder && { placeholder }),
    ...more,
  };
  const known = { provider, source, candidate, fit, checkedMs };
  await Promise.all([
    isKept && keepAnswer(services, request, format, provider, image),
    keepImage(services, pick, known, image.color ?? placeholder?.color),
    reportUse(services, image, caller.owner),
  ]);
  return { outcome: 'found', image, cache: steps.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT' };
}

/**
 * Finds the image of a pick, or shows a card where it is gone: a page has written its text and credit for
 * this one. No provider is searched. One whose URLs end is asked for a new URL, from the budget for upkeep.
 */
async function findPicked(services: StockServices, order: Order, pick: string): Promise<FoundImage> {
  const { clock, settings, telemetry } = services;
  const item = await readImage(services, pick);
  // The card of a removed AI image is shown to its account alone.
  if (item?.removal && item.removal.kind !== 'ai') return showCard(services, item, order, pick);
  if (item?.removal || !item?.image || !('candidate' in item.image)) return { outcome: 'none' };
  const photo = item.image;
  // Found while a provider that must be hotlinked was bound: with imageDelivery=own it may no longer be linked.
  if (settings.imageDelivery === 'own' && mustHotlink(photo.provider)) return { outcome: 'none' };
  if (item.goneMs !== undefined && item.goneMs + goneForMs > clock.nowMs())
    return showCard(services, item, order, pick);
  const provider = services.providerOf(photo.provider);
  const lastsForMs = provider.capability.urlsLastForMs ?? Infinity;
  const budget = { asker: 'upkeep', requestsMax: 1 } as const;
  const attempt = await deliverCurrent(services, order, provider, photo, lastsForMs, budget);
  const { current, delivered, requests } = attempt;
  if (delivered.outcome === 'delivered')
    return answerWith(services, order, { ...photo, ...current }, delivered, [{ requests }]);
  if (delivered.outcome === 'refused') return { ...delivered, isOfCaller: true };
  if (delivered.outcome !== 'broken')
    return notFound([{ requests, failure: { isOutage: delivered.outcome === 'busy' } }], clock.nowMs());
  telemetry.info('An image that pages may show is gone', { provider: photo.provider, pick });
  await markGone(services, pick);
  return showCard(services, item, order, pick);
}

/** Answers with a card in the colour of an image that is gone. @throws when it is not rendered */
async function showCard(
  services: StockServices,
  { image, color }: ImageItem,
  { request, format }: Order,
  pick: string,
): Promise<FoundImage> {
  const source: StockSlot = image && 'source' in image ? image.source : request.provider;
  const gone = { pick, source, ...(color !== undefined && { color }) };
  const card = await goneCard(services, gone, request, format, services.deadline.endsMs);
  await keepAnswer(services, request, format, 'library', card);
  return { outcome: 'found', image: card, cache: 'HIT' };
}

/**
 * Says why there is no image.
 * @param steps the searches at all slots, and the deliveries of what they found
 */
function notFound(steps: readonly SearchStep[], nowMs: number): FoundImage {
  const failures = steps.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return { outcome: 'none' };
  if (failures.some(({ isOutage }) => isOutage))
    return { outcome: 'refused', refusal: serviceUnavailable, isOfCaller: false };
  const retryMs = Math.min(...failures.map((each) => each.retryMs ?? Infinity));
  const retry = retryMs !== Infinity && { retryAfterS: secondsUntil(retryMs, nowMs) };
  return { outcome: 'refused', refusal: { code: 'upstream_unavailable', ...retry }, isOfCaller: false };
}
