/** Takes the image of a seed from a choice, past those that are gone, removed or on the page already. */

import type { UnpaidAnswer } from '../../images/answer';
import { type ChoiceEntry, markGone, pickOf, readImage } from '../../images/picked-images';
import type { StockRequest } from '../../requests/image-request';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { choiceTtlMs, findFreshUntilMs, removeEntry, replaceEntry, storeChoice } from './choice';
import { deliverEntry, type EntryDelivery } from './deliver-entry';
import { indexOfSeed, readSeedRank } from './rank';
import type { Choice, SlotChoice, WordSearch } from './search-types';
import { type FoundImage, storeAndServe } from './store-and-serve';

/** Time for which an image of another slot, or in place of another image, answers, in milliseconds. */
const fallbackTtlMs = 300_000;
const loadFailuresMax = 5;

/** A choice while its images are tried in turn. */
interface TriedChoice {
  readonly choice: Choice;
  /** Images that stay in the choice and cannot be shown now, each with the reason. */
  readonly skipped: ReadonlyMap<ChoiceEntry, 'unanswered' | 'shown-elsewhere'>;
  readonly loadFailures: number;
}

/**
 * Tries the images of a choice in turn, from that of the seed on, and answers with the first that is
 * delivered. Images that were removed or are gone leave the choice.
 * @returns `undefined` where no image of the choice can be shown
 */
export async function deliverChoice(
  services: StockServices,
  search: WordSearch,
  slotChoice: SlotChoice,
): Promise<UnpaidAnswer | undefined> {
  const { request } = search;
  const { choice, provider } = slotChoice;
  const seedIndex = indexOfSeed(request.seed, Math.max(1, choice.entries.length));
  let tried: TriedChoice = { choice, skipped: new Map(), loadFailures: 0 };
  for (let entry = nextEntry(tried, seedIndex); entry; entry = nextEntry(tried, seedIndex)) {
    const attempt = await tryEntry(services, search, provider, entry);
    if (attempt.outcome === 'refused') return attempt;
    if (attempt.outcome === 'failed') break;
    if (attempt.outcome === 'delivered') {
      const found = describeFound(services, request, slotChoice, tried);
      await storeChange(services, request, slotChoice, replaceEntry(tried.choice, entry, attempt.entry));
      return storeAndServe(services, search, { delivery: attempt, ...found });
    }
    tried = afterMiss(tried, entry, attempt.outcome);
  }
  await storeChange(services, request, slotChoice, tried.choice);
  return undefined;
}

/** Finds the first entry from an index on that is not skipped; after the last entry comes the first. */
function nextEntry(
  { choice: { entries }, skipped, loadFailures }: TriedChoice,
  index: number,
): ChoiceEntry | undefined {
  if (loadFailures >= loadFailuresMax) return undefined;
  const start = index % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)].find((entry) => !skipped.has(entry));
}

/** Passes over an image. Where it leaves the choice, the one that takes its place is next. */
function afterMiss(
  { choice, skipped, loadFailures }: TriedChoice,
  entry: ChoiceEntry,
  outcome: 'removed' | 'broken' | 'unanswered' | 'shown-elsewhere',
): TriedChoice {
  const leaves = outcome === 'removed' || outcome === 'broken';
  return {
    choice: leaves ? removeEntry(choice, entry) : choice,
    skipped: leaves ? skipped : new Map([...skipped, [entry, outcome]]),
    loadFailures: loadFailures + (outcome === 'broken' || outcome === 'unanswered' ? 1 : 0),
  };
}

/** Stores a choice that images have left, or whose image was described again. */
async function storeChange(
  services: StockServices,
  request: StockRequest,
  { provider, choice: found, version }: SlotChoice,
  choice: Choice,
): Promise<void> {
  if (choice !== found && version !== undefined)
    await storeChoice(services, provider, request, { choice, version });
}

/** Delivers an image, unless it was removed or its page shows it in another place. */
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
    progress.renditionUnit.makeDue();
    return { outcome: 'shown-elsewhere' };
  }
  const urlTtlMs = provider.capability.urlTtlMs ?? choiceTtlMs;
  const renewal = { urlTtlMs, budget: progress.budget };
  const delivery = await deliverEntry(services, search, provider, entry, renewal);
  if (delivery.outcome === 'broken' && item) await markGone(services, pick);
  return delivery;
}

/** Describes how an image answers: its slot and provider, and until when. An unstored choice sets no end. */
function describeFound(
  { stockSettings, clock }: StockServices,
  { source: preferredSlot, seed }: StockRequest,
  { slot, provider, choice, version }: SlotChoice,
  { skipped }: TriedChoice,
): Omit<FoundImage, 'delivery'> {
  const nowMs = clock.nowMs();
  const count = choice.entries.length;
  const reasons = [...skipped.values()];
  const isPreferred = slot === preferredSlot && provider.name === stockSettings.bindings[slot];
  const isStandIn = !isPreferred || reasons.includes('unanswered');
  const freshMs = version === undefined ? Infinity : findFreshUntilMs(choice);
  // A stand-in ends after five minutes, so that the asked slot, or the skipped image, gets its turn again.
  const answerEndsMs = isStandIn || freshMs <= nowMs ? nowMs + fallbackTtlMs : freshMs;
  return {
    provider: provider.name,
    source: slot,
    isSubstitute: reasons.includes('shown-elsewhere'),
    ...((readSeedRank(seed) ?? 0) > count && { seedsStartOverAfter: count }),
    ...(answerEndsMs !== Infinity && { answerEndsMs }),
  };
}
