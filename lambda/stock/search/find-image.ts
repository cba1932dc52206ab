/**
 * Finds a stock image: understands the words, takes the choice of each slot in turn, and delivers the image
 * of the seed.
 */

import { requestsPerSearchMax } from '../../contract/providers';
import type { ServedImage } from '../../images/image';
import { type Entry, markGone, pickOf, readImage } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import { identityOf, type StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { StockProvider } from '../stock-provider';
import { type StockServices, slotsFor } from '../stock-services';
import { subjectOf } from '../subject';
import {
  choiceFreshForMs,
  freshUntilMs,
  keepChoice,
  type SlotResult,
  searchSlot,
  withoutEntry,
} from './choice';
import type { DeliveredImage } from './deliver-candidate';
import { findPicked } from './find-picked';
import { answerWith, deliverCurrent, notFound } from './found';
import { coverageOf, placeOf } from './rank';
import type { Choice, SearchOutcome, SearchRequest, SearchStep } from './search';
import { mayShow, type SearchCaller } from './search-caller';

/** Time for which an image of another slot or of a failing provider answers, in milliseconds. */
const fallbackForMs = 300_000;
/** Images of a choice that one request tries to deliver. */
const triesMax = 5;

/** Finds an image at the slots, or draws one where the local service reaches no provider. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<SearchOutcome> {
  const { query, filters, pick, provider: slot } = request;
  const wanted = { request, format, caller };
  if (pick !== undefined) return findPicked(services, wanted, pick);
  const search = { ...wanted, subject: subjectOf(identityOf(query), filters.lang) };
  const found = await searchSlots(services, search);
  if (found.outcome !== 'refused' || !services.onUnreached) return found;
  services.onUnreached();
  const drawn = await searchSlot(
    services,
    search,
    slot,
    services.providerOf('sandbox'),
    requestsPerSearchMax,
  );
  return (await deliverChosen(services, search, drawn, [drawn])) ?? found;
}

/** Searches slot by slot for a choice that fits, or takes the loose one that covers most of the subject. */
async function searchSlots(services: StockServices, search: SearchRequest): Promise<SearchOutcome> {
  const { request, subject } = search;
  const { license, onmiss } = request.filters;
  const steps: SearchStep[] = [];
  const loose: { readonly chosen: SlotResult; readonly coverage: number }[] = [];
  for (const slot of slotsFor(services.stockSettings.bindings, request.provider)) {
    const provider = services.providerOf(services.stockSettings.bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const chosen = await searchSlot(services, search, slot, provider, requestsLeft(steps));
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
 * @param steps is changed: it gets those of delivering the image
 * @returns `undefined` where no image of the choice could be delivered
 */
async function deliverChosen(
  services: StockServices,
  search: SearchRequest,
  chosen: SlotResult,
  steps: SearchStep[],
): Promise<SearchOutcome | undefined> {
  const { request } = search;
  const { provider, kept } = chosen;
  if (!kept) return undefined;
  const { choice, shown, refusal } = await firstDeliverable(services, search, provider, kept.value, steps);
  if (refusal) return { outcome: 'refused', refusal, isOfCaller: true };
  let found: SearchOutcome | undefined;
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

/** The outcome of delivering the images of a choice, one after the other. */
interface ChoiceDelivery {
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

/**
 * Delivers the image of the seed, or the next one that is not gone, removed or shown elsewhere.
 * @param steps is changed: it gets one or two for each image that is tried
 */
async function firstDeliverable(
  services: StockServices,
  search: SearchRequest,
  provider: StockProvider,
  kept: Choice,
  steps: SearchStep[],
): Promise<ChoiceDelivery> {
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

/** Returns until when an image of a choice answers its request; empty where no kept choice can change. */
function endOf(
  { stockSettings, clock }: StockServices,
  { request }: SearchRequest,
  { slot, provider, kept }: SlotResult,
): Pick<ServedImage, 'keepUntilMs'> {
  const nowMs = clock.nowMs();
  const isAsked = slot === request.provider && provider.name === stockSettings.bindings[slot];
  const untilMs = kept && kept.version !== '' ? freshUntilMs(kept.value) : Infinity;
  // Soon the slot that was asked for, or the provider that failed, may answer again.
  if (!isAsked || untilMs <= nowMs) return { keepUntilMs: nowMs + fallbackForMs };
  return untilMs === Infinity ? {} : { keepUntilMs: untilMs };
}
