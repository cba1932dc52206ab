/** Takes the image of a seed from a choice, past those that are gone, removed or on the page already. */

import { type ChoiceEntry, markGone, pickOf, readImage } from '../../images/picked-images';
import type { UnpaidAnswer } from '../../quota/answer';
import type { StockRequest } from '../../requests/image-request';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { answerWithImage, type FoundImage } from './answer-with-image';
import { choiceTtlMs, freshUntilMs, storeChoice, withEntry, withoutEntry } from './choice';
import { deliverEntry, type EntryDelivery } from './deliver-entry';
import { indexOfSeed } from './rank';
import type { Choice, SlotChoice, WordSearch } from './search-types';

/** Time for which an image of another slot or of a failing provider answers, in milliseconds. */
const fallbackTtlMs = 300_000;
const loadFailuresMax = 5;

/**
 * Tries the images of a choice in turn, from that of the seed on, and answers with the first that is delivered.
 * Images that were removed or are gone leave the choice.
 * @returns `undefined` where no image of the choice can be shown
 */
export async function deliverChoice(
  services: StockServices,
  search: WordSearch,
  slotChoice: SlotChoice,
): Promise<UnpaidAnswer | undefined> {
  const { request } = search;
  const { provider } = slotChoice;
  let { choice } = slotChoice;
  const seedIndex = indexOfSeed(request.seed, Math.max(1, choice.entries.length));
  const skipped = new Set<ChoiceEntry>();
  let loadFailures = 0;
  let isSubstitute = false;
  for (let entry = nextEntry(choice, seedIndex, skipped); entry && loadFailures < loadFailuresMax; ) {
    const delivery = await tryEntry(services, search, provider, entry);
    switch (delivery.outcome) {
      case 'delivered': {
        await storeChange(services, request, slotChoice, withEntry(choice, entry, delivery.entry));
        const origin = originOf(services, request, slotChoice);
        return answerWithImage(services, search, { delivery, isSubstitute, ...origin });
      }
      case 'refused':
        return delivery;
      case 'failed':
        await storeChange(services, request, slotChoice, choice);
        return undefined;
      case 'shown-elsewhere':
        isSubstitute = true;
        skipped.add(entry);
        break;
      case 'unanswered':
        loadFailures += 1;
        skipped.add(entry);
        break;
      case 'broken':
        loadFailures += 1;
        choice = withoutEntry(choice, entry);
        break;
      case 'removed':
        choice = withoutEntry(choice, entry);
    }
    // Where an image has left the choice, the one that takes its place is next.
    entry = nextEntry(choice, seedIndex, skipped);
  }
  await storeChange(services, request, slotChoice, choice);
  return undefined;
}

/** Finds the first entry from an index on that is not skipped; after the last entry comes the first. */
function nextEntry(
  { entries }: Choice,
  index: number,
  skipped: ReadonlySet<ChoiceEntry>,
): ChoiceEntry | undefined {
  const start = index % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)].find((entry) => !skipped.has(entry));
}

async function storeChange(
  services: StockServices,
  request: StockRequest,
  { provider, choice: found, version }: SlotChoice,
  choice: Choice,
): Promise<void> {
  if (choice !== found && version !== undefined)
    await storeChoice(services, provider, request, { choice, version });
}

async function tryEntry(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
  entry: ChoiceEntry,
): Promise<EntryDelivery | { readonly outcome: 'removed' | 'shown-elsewhere' }> {
  const { context, progress } = search;
  const pick = pickOf(provider.name, entry.candidate.id);
  const item = await readImage(services, pick);
  if (item?.removal) return { outcome: 'removed' };
  if (context.page && !(await context.page.reserve(pick))) {
    // The next image needs a rendition of its own, which is work that was not counted yet.
    progress.renditionUnit.isDue = true;
    return { outcome: 'shown-elsewhere' };
  }
  const urlTtlMs = provider.capability.urlTtlMs ?? choiceTtlMs;
  const renewal = { urlTtlMs, budget: progress.budget };
  const delivery = await deliverEntry(services, search, provider, entry, renewal);
  if (delivery.outcome === 'broken' && item) await markGone(services, pick);
  return delivery;
}

/** Names the slot and provider of an image, and the end of its answer; an unstored choice sets no end. */
function originOf(
  { stockSettings, clock }: StockServices,
  { provider: preferredSlot, seed }: StockRequest,
  { slot, provider, choice, version }: SlotChoice,
): Omit<FoundImage, 'delivery' | 'isSubstitute'> {
  const nowMs = clock.nowMs();
  const count = choice.entries.length;
  const isPreferred = slot === preferredSlot && provider.name === stockSettings.bindings[slot];
  const freshMs = version === undefined ? Infinity : freshUntilMs(choice);
  // Soon the slot that was asked for, or the provider that failed, may answer again.
  const answerEndsMs = !isPreferred || freshMs <= nowMs ? nowMs + fallbackTtlMs : freshMs;
  return {
    provider: provider.name,
    source: slot,
    ...(Number(seed) > count && { seedsStartOverAfter: count }),
    ...(answerEndsMs !== Infinity && { answerEndsMs }),
  };
}
