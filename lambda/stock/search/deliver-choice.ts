/** Delivers the image of a seed from a choice. Skips images that are gone, removed or on the page already. */

import type { ImageOutcome, RefusedOutcome } from '../../images/image-outcome';
import { type ChoiceEntry, makePick, markGone, readPickedImage } from '../../images/picked-images';
import type { StockServices } from '../stock-services';
import { choiceTtlMs, getFreshUntilMs, removeEntry, storeChoice } from './choice';
import { type DeliveredImage, deliverEntry, type EntryDelivery } from './deliver-entry';
import { computeSeedIndex, parseSeedRank } from './rank';
import { computeBudget, isCounted } from './search-steps';
import type { Choice, SlotChoice, WordSearch } from './search-types';
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
  if (!delivery || delivery.outcome === 'refused') return delivery;
  const nowMs = services.clock.nowMs();
  const freshUntilMs = isStored ? getFreshUntilMs(choice) : Infinity;
  // A stand-in comes from another provider, or replaces an image whose server did not answer.
  const isStandIn =
    slot !== source || provider.name !== services.stockSettings.bindings[slot] || isUnanswered;
  // The answer with a stand-in ends soon, because the wanted slot or image may work again.
  const answerEndsMs = isStandIn || freshUntilMs <= nowMs ? nowMs + standInTtlMs : freshUntilMs;
  const count = choice.entries.length;
  return storeAndServe(services, search, delivery, {
    provider: provider.name,
    source: slot,
    isSubstitute,
    ...(answerEndsMs !== Infinity && { answerEndsMs }),
    ...((parseSeedRank(seed) ?? 0) > count && { seedsStartOverAfter: count }),
  });
}

/** The result of all attempts: the choice that is left, and the last attempt if it ended the search. */
interface Attempts {
  readonly choice: Choice;
  readonly delivery?: DeliveredImage | RefusedOutcome;
  /** True if the page shows the image of the seed in another place. */
  readonly isSubstitute: boolean;
  /** True if the server of a better image did not answer. */
  readonly isUnanswered: boolean;
}

/** Tries images until one is delivered, the caller is refused, none is left, or too many did not load. */
async function tryEntries(
  services: StockServices,
  search: WordSearch,
  { provider, choice: foundChoice }: SlotChoice,
): Promise<Attempts> {
  const seedIndex = computeSeedIndex(search.request.seed, Math.max(1, foundChoice.entries.length));
  const skippedEntries = new Set<ChoiceEntry>();
  let choice = foundChoice;
  let [isSubstitute, isUnanswered] = [false, false];
  for (let failures = 0; failures < loadFailuresMax; ) {
    const entry = findNextEntry(choice, seedIndex, skippedEntries);
    if (!entry) break;
    const attempt = await tryEntry(services, search, { provider, entry, isSubstitute });
    switch (attempt.outcome) {
      case 'delivered':
        choice = replaceEntry(choice, entry, attempt.entry);
        return { choice, delivery: attempt, isSubstitute, isUnanswered };
      case 'refused':
        return { choice, delivery: attempt, isSubstitute, isUnanswered };
      case 'shown-already':
        isSubstitute = true;
        skippedEntries.add(entry);
        break;
      case 'removed':
        choice = removeEntry(choice, entry);
        break;
      case 'unanswered':
        failures += 1;
        isUnanswered = true;
        skippedEntries.add(entry);
        break;
      case 'broken':
        failures += 1;
        choice = removeEntry(choice, entry);
    }
  }
  return { choice, isSubstitute, isUnanswered };
}

/** Finds the image of the seed, or the next one that was not skipped. After the last image comes the first. */
function findNextEntry({ entries }: Choice, seedIndex: number, skippedEntries: ReadonlySet<ChoiceEntry>) {
  const start = seedIndex % entries.length;
  const inTurn = [...entries.slice(start), ...entries.slice(0, start)];
  return inTurn.find((entry) => !skippedEntries.has(entry));
}

function replaceEntry(choice: Choice, entry: ChoiceEntry, newEntry: ChoiceEntry): Choice {
  const { entries } = choice;
  return newEntry === entry ? choice : { ...choice, entries: entries.with(entries.indexOf(entry), newEntry) };
}

/** Delivers an image, unless the operator removed it or the page shows it already. */
async function tryEntry(
  services: StockServices,
  search: WordSearch,
  attempt: Pick<SlotChoice, 'provider'> & { readonly entry: ChoiceEntry; readonly isSubstitute: boolean },
): Promise<EntryDelivery | { readonly outcome: 'removed' | 'shown-already' }> {
  const { provider, entry, isSubstitute } = attempt;
  const { batchMember, isRenditionCounted } = search.context;
  const pick = makePick(provider.name, entry.candidate.id);
  const item = await readPickedImage(services, pick);
  if (item?.removal) return { outcome: 'removed' };
  if (batchMember && !(await batchMember.reserve(pick))) return { outcome: 'shown-already' };
  const delivery = await deliverEntry(services, search, {
    provider,
    entry,
    urlTtlMs: provider.capability.urlTtlMs ?? choiceTtlMs,
    budget: computeBudget(search),
    // A rendition of the seed's image was counted. A substitute has its own rendition, which was not.
    isWork: !(isRenditionCounted && !isSubstitute) && !isCounted(search, 'delivery'),
  });
  if (delivery.outcome === 'broken' && item) await markGone(services, pick);
  return delivery;
}
