/** Takes the image of a seed from a choice, past those that are gone, removed or on the page already. */

import type { ImageOutcome } from '../../images/image-outcome';
import { type ChoiceEntry, markGone, pickOf, readPickedImage } from '../../images/picked-images';
import type { StockRequest } from '../../requests/image-request';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { choiceTtlMs, findFreshUntilMs, removeEntry, replaceEntry, storeChoice } from './choice';
import { deliverEntry, type EntryDelivery } from './deliver-entry';
import { indexOfSeed, readSeedRank } from './rank';
import { computeBudget, isCounted, nameCacheStatus } from './search-steps';
import type { Choice, SearchStep, SlotChoice, WordSearch } from './search-types';
import { type FoundImage, storeAndServe } from './store-and-serve';

/** Time for which an image that stands in for another one answers, in milliseconds. */
const fallbackTtlMs = 300_000;
const loadFailuresMax = 5;

/** The delivery from a choice, as it has ended. */
interface ChoiceDelivery {
  /** Absent where no image of the choice can be shown. */
  readonly answer?: ImageOutcome;
  /** Those before, and one for each image that was tried. */
  readonly steps: readonly SearchStep[];
}

/**
 * Tries the images of a choice in turn, from that of the seed on, and answers with the first that is
 * delivered. Images that were removed or are gone leave the choice.
 * @param earlierSteps those of the search before
 */
export async function deliverChoice(
  services: StockServices,
  search: WordSearch,
  slotChoice: SlotChoice,
  earlierSteps: readonly SearchStep[],
): Promise<ChoiceDelivery> {
  const { request } = search;
  const { slot, provider } = slotChoice;
  const seedIndex = indexOfSeed(request.seed, Math.max(1, slotChoice.choice.entries.length));
  const steps = [...earlierSteps];
  const skipped = new Set<ChoiceEntry>();
  let { choice } = slotChoice;
  // Stands in: an image of another slot, or in place of one that did not load.
  let isStandIn = slot !== request.source || provider.name !== services.stockSettings.bindings[slot];
  let isSubstitute = false;
  let loadFailures = 0;
  while (loadFailures < loadFailuresMax) {
    const entry = findNextEntry(choice, seedIndex, skipped);
    if (!entry) break;
    const attempt = await tryEntry(services, search, provider, entry, steps, isSubstitute);
    steps.push(attempt);
    const { outcome } = attempt;
    if (outcome === 'refused') return { answer: { outcome, refusal: attempt.refusal }, steps };
    if (outcome === 'failed') break;
    if (outcome === 'delivered') {
      const validity = describeValidity(services, request, { ...slotChoice, choice }, isStandIn);
      await storeChange(services, request, slotChoice, replaceEntry(choice, entry, attempt.entry));
      const cache = nameCacheStatus(steps);
      const found = { provider: provider.name, source: slot, delivery: attempt, isSubstitute, cache };
      return { answer: await storeAndServe(services, search, { ...found, ...validity }), steps };
    }
    // Where an image leaves the choice, the one that takes its place is next.
    if (outcome === 'removed' || outcome === 'broken') choice = removeEntry(choice, entry);
    else skipped.add(entry);
    if (outcome === 'broken' || outcome === 'unanswered') loadFailures += 1;
    if (outcome === 'unanswered') isStandIn = true;
    if (outcome === 'shown-elsewhere') isSubstitute = true;
  }
  await storeChange(services, request, slotChoice, choice);
  return { steps };
}

/** Finds the first entry from an index on that is not skipped; after the last entry comes the first. */
function findNextEntry(
  { entries }: Choice,
  index: number,
  skipped: ReadonlySet<ChoiceEntry>,
): ChoiceEntry | undefined {
  const start = index % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)].find((entry) => !skipped.has(entry));
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

/** An image of a choice that was tried. */
type EntryAttempt =
  | EntryDelivery
  | (SearchStep & { readonly kind: 'delivery'; readonly outcome: 'removed' | 'shown-elsewhere' });

/** Delivers an image, unless it was removed or its page shows it in another place. */
async function tryEntry(
  services: StockServices,
  search: WordSearch,
  provider: StockProvider,
  entry: ChoiceEntry,
  steps: readonly SearchStep[],
  isSubstitute: boolean,
): Promise<EntryAttempt> {
  const { context } = search;
  const pick = pickOf(provider.name, entry.candidate.id);
  const item = await readPickedImage(services, pick);
  if (item?.removal) return { kind: 'delivery', requests: 0, outcome: 'removed' };
  if (context.batchSlot && !(await context.batchSlot.reserve(pick)))
    return { kind: 'delivery', requests: 0, outcome: 'shown-elsewhere' };
  const delivery = await deliverEntry(services, search, provider, entry, {
    urlTtlMs: provider.capability.urlTtlMs ?? choiceTtlMs,
    budget: computeBudget(context, steps),
    // What was counted for this very request was the rendition of another image than a substitute.
    isWork: !isCounted(steps, 'delivery') && (isSubstitute || !context.isRenditionCounted),
  });
  if (delivery.outcome === 'broken' && item) await markGone(services, pick);
  return delivery;
}

/** Describes until when an image answers the request, and how many images its choice has for further seeds. */
function describeValidity(
  { clock }: StockServices,
  { seed }: StockRequest,
  { choice, version }: SlotChoice,
  isStandIn: boolean,
): Pick<FoundImage, 'answerEndsMs' | 'seedsStartOverAfter'> {
  const nowMs = clock.nowMs();
  const count = choice.entries.length;
  const seeds = (readSeedRank(seed) ?? 0) > count && { seedsStartOverAfter: count };
  const freshMs = findFreshUntilMs(choice);
  const isStored = version !== undefined;
  // Then the slot that was asked for, or the skipped image, gets its turn again.
  if (isStandIn || (isStored && freshMs <= nowMs)) return { ...seeds, answerEndsMs: nowMs + fallbackTtlMs };
  return isStored ? { ...seeds, answerEndsMs: freshMs } : { ...seeds };
}
