/** Delivers the image of a seed from a choice. Skips images that are gone, removed or on the page already. */

import type { ImageOutcome } from '../../images/image-outcome';
import { type ChoiceEntry, makePick, markGone, readPickedImage } from '../../images/picked-images';
import type { StockServices } from '../stock-services';
import { choiceTtlMs, findFreshUntilMs, removeEntry, storeChoice } from './choice';
import { deliverEntry, type EntryDelivery } from './deliver-entry';
import { computeSeedIndex, readSeedRank } from './rank';
import { computeBudget, isCounted } from './search-steps';
import type { SlotChoice, WordSearch } from './search-types';
import { storeAndServe } from './store-and-serve';

/** Time for which the answer with a stand-in lasts, in milliseconds. */
const standInTtlMs = 300_000;
const loadFailuresMax = 5;

/**
 * Delivers the image of the seed, or the next that can be shown. Stores the choice if it has changed.
 * @returns `undefined` if no image of the choice can be shown
 */
export async function deliverChoice(
  services: StockServices,
  search: WordSearch,
  slotChoice: SlotChoice,
): Promise<ImageOutcome | undefined> {
  const { slot, provider, version } = slotChoice;
  const { source, seed } = search.request;
  const { choice, delivery, isSubstitute, isUnanswered } = await tryEntries(services, search, slotChoice);
  const isStored = version !== undefined;
  if (choice !== slotChoice.choice && isStored)
    await storeChoice(services, provider, search.request, { choice, version });
  if (delivery?.outcome === 'refused') return delivery;
  if (delivery?.outcome !== 'delivered') return undefined;
  const nowMs = services.clock.nowMs();
  const freshUntilMs = isStored ? findFreshUntilMs(choice) : Infinity;
  // A stand-in comes from another provider, or replaces an image whose server did not answer.
  const isStandIn =
    slot !== source || provider.name !== services.stockSettings.bindings[slot] || isUnanswered;
  // Short, so that the wanted slot or image is soon tried again.
  const answerEndsMs = isStandIn || freshUntilMs <= nowMs ? nowMs + standInTtlMs : freshUntilMs;
  const count = choice.entries.length;
  return storeAndServe(services, search, delivery, {
    provider: provider.name,
    source: slot,
    isSubstitute,
    ...(answerEndsMs !== Infinity && { answerEndsMs }),
    ...((readSeedRank(seed) ?? 0) > count && { seedsStartOverAfter: count }),
  });
}

/** Tries images until one is delivered, the caller is refused, none is left, or too many did not load. */
async function tryEntries(
  services: StockServices,
  search: WordSearch,
  { provider, choice: foundChoice }: SlotChoice,
) {
  const { batchSlot, isRenditionCounted } = search.context;
  const seedIndex = computeSeedIndex(search.request.seed, Math.max(1, foundChoice.entries.length));
  const skippedEntries = new Set<ChoiceEntry>();
  let choice = foundChoice;
  let delivery: EntryDelivery | undefined;
  // The page shows the image of the seed in another place, or its server did not answer.
  let [isSubstitute, isUnanswered] = [false, false];
  for (let failures = 0; failures < loadFailuresMax; ) {
    const { entries } = choice;
    const start = seedIndex % entries.length;
    // After the last entry comes the first.
    const inTurn = [...entries.slice(start), ...entries.slice(0, start)];
    const entry = inTurn.find((candidate) => !skippedEntries.has(candidate));
    if (!entry) break;
    const pick = makePick(provider.name, entry.candidate.id);
    const item = await readPickedImage(services, pick);
    if (item?.removal) choice = removeEntry(choice, entry);
    else if (batchSlot && !(await batchSlot.reserve(pick))) {
      isSubstitute = true;
      skippedEntries.add(entry);
    } else {
      delivery = await deliverEntry(services, search, {
        provider,
        entry,
        urlTtlMs: provider.capability.urlTtlMs ?? choiceTtlMs,
        budget: computeBudget(search),
        // The rendition that was counted for this request is of the seed's image, not of a substitute.
        isWork: !(isRenditionCounted && !isSubstitute) && !isCounted(search, 'delivery'),
      });
      if (delivery.outcome === 'delivered' && delivery.entry !== entry)
        choice = { ...choice, entries: entries.with(entries.indexOf(entry), delivery.entry) };
      if (delivery.outcome === 'delivered' || delivery.outcome === 'refused') break;
      failures += 1;
      if (delivery.outcome === 'unanswered') {
        isUnanswered = true;
        skippedEntries.add(entry);
      } else {
        // The image leaves the choice. The image that takes its place is tried next.
        choice = removeEntry(choice, entry);
        if (item) await markGone(services, pick);
      }
    }
  }
  return { choice, delivery, isSubstitute, isUnanswered };
}
