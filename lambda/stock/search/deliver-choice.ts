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

/** Time for which an answer lasts if a better one may be possible soon, in milliseconds. */
const shortAnswerTtlMs = 300_000;
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
  let attempts: Attempts = { choice: slotChoice.choice, skippedEntries: [], failures: [] };
  while (!attempts.delivery) attempts = await tryNextEntry(services, lookup, provider, attempts);
  const { choice, delivery, isForOnePage, isUnanswered } = attempts;
  const isStored = version !== undefined;
  if (choice !== slotChoice.choice && isStored)
    await storeChoice(services, provider, lookup.request, { choice, version });
  if (delivery.outcome !== 'delivered') return delivery;
  const nowMs = services.clock.nowMs();
  const freshUntilMs = isStored ? getFreshUntilMs(choice) : Infinity;
  // The wanted slot or image may work again, and a choice that is too old is soon searched again.
  const endsSoon =
    slot !== source ||
    provider.name !== services.stockSettings.bindings[slot] ||
    isUnanswered ||
    freshUntilMs <= nowMs;
  const answerEndsMs = endsSoon ? nowMs + shortAnswerTtlMs : freshUntilMs;
  const count = choice.entries.length;
  return storeAndServe(services, lookup, delivery, {
    provider: provider.name,
    source: slot,
    ...(isForOnePage && { isForOnePage }),
    ...(answerEndsMs !== Infinity && { answerEndsMs }),
    ...((parseSeedRank(seed) ?? 0) > count && { seedsStartOverAfter: count }),
  });
}

/** The choice that the attempts so far have left, and what they have met. */
interface Attempts {
  readonly choice: Choice;
  readonly skippedEntries: readonly ChoiceEntry[];
  readonly failures: readonly LookupFailure[];
  /** True if the page shows the image of the seed in another place. Then the answer is for this page only. */
  readonly isForOnePage?: boolean;
  /** True if the server of a better image did not answer. */
  readonly isUnanswered?: boolean;
  /** Absent while another image may be tried. */
  readonly delivery?: DeliveredImage | RefusedOutcome | NoDelivery;
}

/**
 * Tries the next image of a choice. The attempts end if it is delivered, if the caller is refused, if no image is
 * left, or if too many did not load. An image that is removed, gone or broken leaves the choice.
 */
async function tryNextEntry(
  services: StockServices,
  lookup: WordLookup,
  provider: StockProvider,
  attempts: Attempts,
): Promise<Attempts> {
  const { request, context, allowance } = lookup;
  const { choice, skippedEntries, failures } = attempts;
  const entry = failures.length < loadFailuresMax && findNextEntry(choice, request.seed, skippedEntries);
  if (!entry) return { ...attempts, delivery: { outcome: 'none', failures } };
  const pick = makePick(provider.name, entry.candidate.id);
  const item = await readPickedImage(services, pick);
  const attemptsAfterRemoval = { ...attempts, choice: removeEntry(choice, entry) };
  const attemptsAfterSkip = { ...attempts, skippedEntries: [...skippedEntries, entry] };
  if (item?.removal) return attemptsAfterRemoval;
  if (context.batchMember && !(await context.batchMember.reserve(pick)))
    return { ...attemptsAfterSkip, isForOnePage: true };
  const urlTtlMs = provider.capability.urlTtlMs ?? choiceTtlMs;
  const task = { provider, entry, urlTtlMs, budget: allowance.makeBudget() };
  const delivery = await deliverEntry(services, lookup, task);
  switch (delivery.outcome) {
    case 'refused':
      return { ...attempts, delivery };
    case 'delivered':
      return { ...attempts, delivery, choice: replaceEntry(choice, entry, delivery.entry) };
    case 'unanswered':
      return { ...attemptsAfterSkip, failures: [...failures, {}], isUnanswered: true };
    case 'gone':
    case 'broken':
      if (item) await markGone(services, pick);
      // An image that is gone is no failure, because a later request does not find it either.
      if (delivery.outcome === 'gone') return attemptsAfterRemoval;
      return { ...attemptsAfterRemoval, failures: [...failures, {}] };
  }
}

/** Finds the image of the seed, or the next one that was not skipped. After the last image comes the first. */
function findNextEntry({ entries }: Choice, seed: string, skippedEntries: readonly ChoiceEntry[]) {
  const start = computeSeedIndex(seed, entries.length);
  const entriesInTurn = [...entries.slice(start), ...entries.slice(0, start)];
  return entriesInTurn.find((entry) => !skippedEntries.includes(entry));
}

function replaceEntry(choice: Choice, entry: ChoiceEntry, newEntry: ChoiceEntry): Choice {
  const { entries } = choice;
  return newEntry === entry ? choice : { ...choice, entries: entries.with(entries.indexOf(entry), newEntry) };
}
