/** Delivers the image of a seed from a choice. Skips images that are gone, removed or on the page already. */

import type { StockSlot } from '../../contract/providers';
import type { ImageOutcome, RefusedOutcome } from '../../images/image-outcome';
import { type ChoiceEntry, makePick, markGone, readPickedImage } from '../../images/picked-images';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { type Choice, choiceTtlMs, getFreshUntilMs, removeEntry, type VersionedChoice } from './choice';
import { type DeliveredImage, deliverEntry, storeAndServe } from './deliver-entry';
import type { LookupFailure, WordLookup } from './lookup';
import { storeChoice } from './obtain-choice';
import { computeSeedIndex, parseSeedRank } from './rank';

/** Time for which the answer with a stand-in lasts, in milliseconds. */
const standInTtlMs = 300_000;
const loadFailuresMax = 5;

/** The choice of a slot's provider. */
export interface SlotChoice extends VersionedChoice {
  readonly slot: StockSlot;
  readonly provider: StockProvider;
}

/** No image of a choice can be shown. Without a failure, all are gone, removed, or on the page already. */
interface NoDelivery {
  readonly outcome: 'none';
  readonly failures: readonly LookupFailure[];
}

/** Delivers the image of the seed, or the next that can be shown. Stores the choice if it has changed. */
export async function deliverChoice(
  services: StockServices,
  lookup: WordLookup,
  slotChoice: SlotChoice,
): Promise<ImageOutcome | NoDelivery> {
  const { slot, provider, version } = slotChoice;
  const { source, seed } = lookup.request;
  const { choice, delivery, isSubstitute, isUnanswered } = await tryEntries(services, lookup, slotChoice);
  const isStored = version !== undefined;
  if (choice !== slotChoice.choice && isStored)
    await storeChoice(services, provider, lookup.request, { choice, version });
  if (delivery.outcome !== 'delivered') return delivery;
  const nowMs = services.clock.nowMs();
  const freshUntilMs = isStored ? getFreshUntilMs(choice) : Infinity;
  // A stand-in comes from another provider, or replaces an image whose server did not answer.
  const isStandIn =
    slot !== source || provider.name !== services.stockSettings.bindings[slot] || isUnanswered;
  // The answer with a stand-in ends soon, because the wanted slot or image may work again.
  const answerEndsMs = isStandIn || freshUntilMs <= nowMs ? nowMs + standInTtlMs : freshUntilMs;
  const count = choice.entries.length;
  return storeAndServe(services, lookup, delivery, {
    provider: provider.name,
    source: slot,
    isSubstitute,
    ...(answerEndsMs !== Infinity && { answerEndsMs }),
    ...((parseSeedRank(seed) ?? 0) > count && { seedsStartOverAfter: count }),
  });
}

/** The result of all attempts: the choice that is left, and the image or the reason for none. */
interface AttemptsResult {
  readonly choice: Choice;
  readonly delivery: DeliveredImage | RefusedOutcome | NoDelivery;
  /** True if the page shows the image of the seed in another place. */
  readonly isSubstitute: boolean;
  /** True if the server of a better image did not answer. */
  readonly isUnanswered: boolean;
}

/**
 * Tries images until one is delivered, the caller is refused, none is left, or too many did not load. Images that
 * are removed or gone leave the choice.
 */
async function tryEntries(
  services: StockServices,
  lookup: WordLookup,
  { provider, choice: foundChoice }: SlotChoice,
): Promise<AttemptsResult> {
  const { request, context, allowance } = lookup;
  const urlTtlMs = provider.capability.urlTtlMs ?? choiceTtlMs;
  const skippedEntries = new Set<ChoiceEntry>();
  const failures: LookupFailure[] = [];
  let choice = foundChoice;
  let [isSubstitute, isUnanswered] = [false, false];
  while (failures.length < loadFailuresMax) {
    const entry = findNextEntry(choice, request.seed, skippedEntries);
    if (!entry) break;
    const pick = makePick(provider.name, entry.candidate.id);
    const item = await readPickedImage(services, pick);
    if (item?.removal) {
      choice = removeEntry(choice, entry);
      continue;
    }
    if (context.batchMember && !(await context.batchMember.reserve(pick))) {
      isSubstitute = true;
      skippedEntries.add(entry);
      continue;
    }
    const task = { provider, entry, urlTtlMs, budget: allowance.makeBudget() };
    const delivery = await deliverEntry(services, lookup, task);
    if (delivery.outcome === 'refused') return { choice, delivery, isSubstitute, isUnanswered };
    if (delivery.outcome === 'delivered') {
      choice = replaceEntry(choice, entry, delivery.entry);
      return { choice, delivery, isSubstitute, isUnanswered };
    }
    // An image that is gone is no failure, because a later request does not find it either.
    if (delivery.outcome !== 'gone') failures.push({});
    if (delivery.outcome === 'unanswered') {
      isUnanswered = true;
      skippedEntries.add(entry);
    } else {
      choice = removeEntry(choice, entry);
      if (item) await markGone(services, pick);
    }
  }
  return { choice, delivery: { outcome: 'none', failures }, isSubstitute, isUnanswered };
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
