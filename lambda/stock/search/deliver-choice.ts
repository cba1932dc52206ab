/** Takes the image of a seed from a choice, past those that are gone, removed or on the page already. */

import { type ChoiceEntry, markGone, pickOf, readImage } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { choiceFreshForMs, freshUntilMs, keepChoice, type SlotResult, withoutEntry } from './choice';
import { type DeliveredImage, deliverEntry } from './deliver-candidate';
import { keepFoundImage } from './end-search';
import { placeOf } from './rank';
import {
  type Choice,
  requestsLeft,
  type SearchOutcome,
  type SearchRequest,
  type SearchState,
} from './search';

/** Time for which an image of another slot or of a failing provider answers, in milliseconds. */
const fallbackForMs = 300_000;
/** Images of a choice that one request tries to deliver. */
const triesMax = 5;

/** The state after a part of a search, and the outcome where that ends the search. */
export interface StepResult {
  readonly found?: SearchOutcome | undefined;
  readonly state: SearchState;
}

/** Delivers an image of a choice, and answers with it. What is gone leaves the choice. */
export async function deliverChoice(
  services: StockServices,
  search: SearchRequest,
  result: SlotResult,
  before: SearchState,
): Promise<StepResult> {
  const { request } = search;
  const { slot, provider, kept } = result;
  if (!kept) return { state: before };
  const delivery = await deliverFirst(services, search, provider, kept.value, before);
  const { choice, state, shown, refusal } = delivery;
  if (refusal) return { found: { outcome: 'refused', refusal, isOfCaller: true }, state };
  let found: SearchOutcome | undefined;
  if (shown) {
    const count = kept.value.entries.length;
    const photo = { provider: provider.name, source: slot, ...shown.entry };
    const keepUntilMs = keptUntilMs(services, search, result);
    found = await keepFoundImage(services, search, photo, shown.image, state.steps, shown.isOfSeed, {
      ...(Number(request.seed) > count && { seedsStartOverAfter: count }),
      ...(keepUntilMs !== Infinity && { keepUntilMs }),
    });
  }
  if (choice !== kept.value && kept.version !== '')
    await keepChoice(services, provider, request, choice, kept);
  return { found, state };
}

/** The outcome of delivering the images of a choice, one after the other. */
interface ChoiceDelivery {
  /** Without the images that are gone. */
  readonly choice: Choice;
  readonly state: SearchState;
  /** Absent where no image could be delivered. */
  readonly shown?: {
    readonly entry: ChoiceEntry;
    readonly image: DeliveredImage;
    /** False for an image that a page shows in place of that of the seed. */
    readonly isOfSeed: boolean;
  };
  /** Present where a rendition has to be made, which the caller's work of the hour does not allow. */
  readonly refusal?: Refusal;
}

/** Delivers the image of the seed, or the next one that is not gone, removed or shown elsewhere. */
async function deliverFirst(
  services: StockServices,
  search: SearchRequest,
  provider: StockProvider,
  kept: Choice,
  before: SearchState,
): Promise<ChoiceDelivery> {
  const count = kept.entries.length;
  let choice = kept;
  let state = before;
  let place = placeOf(search.request.seed, Math.max(1, count));
  let isOfSeed = true;
  for (let seen = 0, tries = 0; seen < count && tries < triesMax && choice.entries.length > 0; seen++) {
    place %= choice.entries.length;
    const attempt = await tryEntry(services, search, provider, choice.entries[place] as ChoiceEntry, state);
    state = attempt.state;
    switch (attempt.outcome) {
      case 'shown': {
        const { entry, image } = attempt;
        return { choice: withEntry(choice, place, entry), state, shown: { entry, image, isOfSeed } };
      }
      case 'refused':
        return { choice, state, refusal: attempt.refusal };
      case 'failed':
        return { choice, state };
      case 'removed':
        choice = withoutEntry(choice, place);
        break;
      case 'elsewhere':
        isOfSeed = false;
        place++;
        break;
      case 'gone':
        choice = withoutEntry(choice, place);
        tries++;
        break;
      case 'unanswered':
        place++;
        tries++;
        break;
    }
  }
  return { choice, state };
}

/** The outcome of trying to deliver one image of a choice. */
type EntryAttempt = { readonly state: SearchState } & (
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** `entry`: with what its provider says of it now. */
  | { readonly outcome: 'shown'; readonly entry: ChoiceEntry; readonly image: DeliveredImage }
  /** `elsewhere`: shown on the page. `failed`: the renderer, so that another image does no better. */
  | { readonly outcome: 'removed' | 'elsewhere' | 'gone' | 'unanswered' | 'failed' }
);

async function tryEntry(
  services: StockServices,
  search: SearchRequest,
  provider: StockProvider,
  entry: ChoiceEntry,
  before: SearchState,
): Promise<EntryAttempt> {
  const { asker, page } = search.caller;
  const pick = pickOf(provider.name, entry.candidate.id);
  const item = await readImage(services, pick);
  if (item?.removal) return { outcome: 'removed', state: before };
  if (page && !(await page.reserve(pick))) {
    // A rendition of the next image counts as work.
    const renditionWork = before.renditionWork === 'none' ? 'due' : before.renditionWork;
    return { outcome: 'elsewhere', state: { ...before, renditionWork } };
  }
  const lastsForMs = provider.capability.urlTtlMs ?? choiceFreshForMs;
  const renewal = { lastsForMs, asker, requestsMax: requestsLeft(before) };
  const delivery = await deliverEntry(services, search, provider, entry, renewal, before.renditionWork);
  const { current, delivered, requests, renditionWork } = delivery;
  const state = { ...before, steps: [...before.steps, { requests }], renditionWork };
  if (delivered.outcome === 'delivered') return { outcome: 'shown', entry: current, image: delivered, state };
  if (delivered.outcome === 'refused') return { ...delivered, state };
  // Images that cannot be loaded are the provider's failure, not a lack of images.
  const isOutage = delivered.outcome === 'busy';
  const after = { ...state, steps: [...state.steps, { requests: 0, failure: { isOutage } }] };
  if (delivered.outcome === 'unanswered') return { outcome: 'unanswered', state: after };
  if (delivered.outcome !== 'broken') return { outcome: 'failed', state: after };
  if (item) await markGone(services, pick);
  return { outcome: 'gone', state: after };
}

/** The choice with an image as its provider describes it now; the choice itself where that is as before. */
function withEntry(choice: Choice, place: number, entry: ChoiceEntry): Choice {
  if (choice.entries[place] === entry) return choice;
  return { ...choice, entries: choice.entries.with(place, entry) };
}

/** Until when an image of a choice answers its request (epoch, ms); `Infinity` for one that is not kept. */
function keptUntilMs(
  { stockSettings, clock }: StockServices,
  { request }: SearchRequest,
  { slot, provider, kept }: SlotResult,
): number {
  const nowMs = clock.nowMs();
  const isAsked = slot === request.provider && provider.name === stockSettings.bindings[slot];
  const untilMs = kept && kept.version !== '' ? freshUntilMs(kept.value) : Infinity;
  // Soon the slot that was asked for, or the provider that failed, may answer again.
  return !isAsked || untilMs <= nowMs ? nowMs + fallbackForMs : untilMs;
}
