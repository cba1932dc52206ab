/** Delivers the image of a seed from a choice. Skips images that are gone, removed or on the page already. */

import type { StockSlot } from '../../contract/providers';
import type { ImageOutcome, RefusedOutcome } from '../../images/image-outcome';
import { type ChoiceEntry, makePick, markGone, readPickedImage } from '../../images/picked-images';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { type Choice, choiceTtlMs, getFreshUntilMs, removeEntry, type VersionedChoice } from './choice';
import { type DeliveredImage, deliverEntry, type EntryDelivery } from './deliver-entry';
import { computeSeedIndex, parseSeedRank } from './rank';
import type { WordSearch } from './stock-search';
import { storeAndServe } from './store-and-serve';
import { storeChoice } from './stored-choices';

/** Time for which the answer with a stand-in lasts, in milliseconds. */
const standInTtlMs = 300_000;
const loadFailuresMax = 5;

/** The choice of a slot's provider. */
export interface SlotChoice extends VersionedChoice {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

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
interface AttemptsResult {
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
): Promise<AttemptsResult> {
  const skippedEntries = new Set<ChoiceEntry>();
  let choice = foundChoice;
  let [isSubstitute, isUnanswered] = [false, false];
  for (let failures = 0; failures < loadFailuresMax; ) {
    const entry = findNextEntry(choice, search.request.seed, skippedEntries);
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
function findNextEntry({ entries }: Choice, seed: string, skippedEntries: ReadonlySet<ChoiceEntry>) {
  const start = computeSeedIndex(seed, entries.length);
  const entriesInTurn = [...entries.slice(start), ...entries.slice(0, start)];
  return entriesInTurn.find((entry) => !skippedEntries.has(entry));
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
  const { batchMember } = search.context;
  const pick = makePick(provider.name, entry.candidate.id);
  const item = await readPickedImage(services, pick);
  if (item?.removal) return { outcome: 'removed' };
  if (batchMember && !(await batchMember.reserve(pick))) return { outcome: 'shown-already' };
  const delivery = await deliverEntry(services, search, {
    provider,
    entry,
    urlTtlMs: provider.capability.urlTtlMs ?? choiceTtlMs,
    budget: search.makeBudget(),
    isSubstitute,
  });
  if (delivery.outcome === 'broken' && item) await markGone(services, pick);
  return delivery;
}
