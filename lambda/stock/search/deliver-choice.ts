/** Takes the image of a seed from a choice, past those that are gone, removed or on the page already. */

import { type ChoiceEntry, markGone, pickOf, readImage } from '../../images/picked-images';
import type { StockRequest } from '../../requests/image-request';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { choiceTtlMs, freshUntilMs, storeChoice, withoutEntry } from './choice';
import { type DeliveryOutcome, deliverEntry } from './deliver-entry';
import { answerWithImage, type FoundImage } from './found-image';
import { placeOf } from './rank';
import type { Choice, SearchOutcome, SearchRequest, SlotChoice } from './search';

/** Time for which an image of another slot or of a failing provider answers, in milliseconds. */
const fallbackTtlMs = 300_000;
/** Images of a choice that one request tries to load. */
const triesMax = 5;

/** Why the next image is tried: this one was removed, is shown `elsewhere` on the page, or was not loaded. */
type SkipReason = 'removed' | 'elsewhere' | 'broken' | 'unanswered';

/**
 * Tries the images of a choice in turn, from that of the seed on, and answers with the first that is delivered.
 * Images that were removed or are gone leave the choice.
 * @returns `undefined` where no image of the choice can be shown
 */
export async function deliverChoice(
  services: StockServices,
  search: SearchRequest,
  slotChoice: SlotChoice,
): Promise<SearchOutcome | undefined> {
  const { request } = search;
  const { provider, choice, version } = slotChoice;
  const seedPlace = placeOf(request.seed, Math.max(1, choice.entries.length));
  const skipped = new Map<ChoiceEntry, SkipReason>();
  const skippedAs = (reason: SkipReason) => [...skipped.values()].filter((value) => value === reason).length;
  let remaining = choice;
  let outcome: SearchOutcome | undefined;
  while (!outcome && skippedAs('broken') + skippedAs('unanswered') < triesMax) {
    const entry = entriesFrom(seedPlace, remaining).find((candidate) => !skipped.has(candidate));
    const attempt = entry && (await tryEntry(services, search, provider, entry));
    if (!attempt || attempt.outcome === 'failed') break;
    if (attempt.outcome === 'refused') return attempt;
    if (attempt.outcome === 'delivered') {
      if (attempt.entry !== entry) remaining = withEntry(remaining, entry, attempt.entry);
      outcome = await answerWithImage(services, search, {
        delivered: attempt,
        isSubstitute: skippedAs('elsewhere') > 0,
        ...answerFrom(services, request, slotChoice),
      });
    } else {
      skipped.set(entry, attempt.outcome);
      // The image that takes the place of one that leaves is tried next.
      if (attempt.outcome === 'removed' || attempt.outcome === 'broken')
        remaining = withoutEntry(remaining, entry);
    }
  }
  if (remaining !== choice && version !== undefined)
    await storeChoice(services, provider, request, { choice: remaining, version });
  return outcome;
}

/** The entries of a choice from a place on, and then those before it. */
function entriesFrom(place: number, { entries }: Choice): readonly ChoiceEntry[] {
  const start = place % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)];
}

/** The choice with an image as its provider describes it now. */
function withEntry(choice: Choice, entry: ChoiceEntry, renewed: ChoiceEntry): Choice {
  return { ...choice, entries: choice.entries.with(choice.entries.indexOf(entry), renewed) };
}

/** Tries to deliver one image of a choice, unless it was removed or is on the page already. */
async function tryEntry(
  services: StockServices,
  search: SearchRequest,
  provider: StockProvider,
  entry: ChoiceEntry,
): Promise<DeliveryOutcome | { readonly outcome: 'removed' | 'elsewhere' }> {
  const { caller, progress } = search;
  const pick = pickOf(provider.name, entry.candidate.id);
  const item = await readImage(services, pick);
  if (item?.removal) return { outcome: 'removed' };
  if (caller.page && !(await caller.page.reserve(pick))) {
    // The rendition of another image was not made for this request before.
    progress.renditionUnit.require();
    return { outcome: 'elsewhere' };
  }
  const urlTtlMs = provider.capability.urlTtlMs ?? choiceTtlMs;
  const renewal = { urlTtlMs, share: caller.budgetShare, requestsMax: progress.requestsLeft };
  const delivery = await deliverEntry(services, search, { provider, entry }, renewal);
  if (delivery.outcome === 'broken' && item) await markGone(services, pick);
  return delivery;
}

/** The source of an image, its seeds, and the end of its answer (epoch, ms); unstored, without end. */
function answerFrom(
  { stockSettings, clock }: StockServices,
  { provider: preferredSlot, seed }: StockRequest,
  { slot, provider, choice, version }: SlotChoice,
): Omit<FoundImage, 'delivered' | 'isSubstitute'> {
  const nowMs = clock.nowMs();
  const count = choice.entries.length;
  const isPreferred = slot === preferredSlot && provider.name === stockSettings.bindings[slot];
  const freshMs = version === undefined ? Infinity : freshUntilMs(choice);
  // Soon the slot that was asked for, or the provider that failed, may answer again.
  const keepUntilMs = !isPreferred || freshMs <= nowMs ? nowMs + fallbackTtlMs : freshMs;
  return {
    provider: provider.name,
    source: slot,
    ...(Number(seed) > count && { seedsStartOverAfter: count }),
    ...(keepUntilMs !== Infinity && { keepUntilMs }),
  };
}
