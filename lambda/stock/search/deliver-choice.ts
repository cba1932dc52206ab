/** Delivers the image of a seed from a choice. Skips images that are gone, removed or on the page already. */

import type { ImageOutcome } from '../../images/image-outcome';
import { type ChoiceEntry, markGone, pickOf, readPickedImage } from '../../images/picked-images';
import type { StockServices } from '../stock-services';
import { choiceTtlMs, findFreshUntilMs, removeEntry, replaceEntry, storeChoice } from './choice';
import { type DeliveryOrder, deliverEntry, type EntryDelivery } from './deliver-entry';
import { indexOfSeed, readSeedRank } from './rank';
import { computeBudget, isCounted, nameCacheStatus } from './search-steps';
import type { Choice, SearchStep, SlotChoice, WordSearch } from './search-types';
import { type FoundImage, storeAndServe } from './store-and-serve';

/** Time for which the answer with a stand-in lasts, in milliseconds. */
const standInTtlMs = 300_000;
const loadFailuresMax = 5;

interface ChoiceDelivery {
  /** Absent if no image of the choice can be shown. */
  readonly imageOutcome?: ImageOutcome;
  /** The earlier steps of the search, and one step for each image that was tried. */
  readonly steps: readonly SearchStep[];
}

type EntryAttempt =
  | EntryDelivery
  | (SearchStep & { readonly kind: 'delivery'; readonly outcome: 'removed' | 'shown-elsewhere' });

/** Delivers the image of the seed, or the next that can be shown. Stores the choice if it has changed. */
export async function deliverChoice(
  services: StockServices,
  search: WordSearch,
  slotChoice: SlotChoice,
  earlierSteps: readonly SearchStep[],
): Promise<ChoiceDelivery> {
  const { choice, attempts } = await tryEntries(services, search, slotChoice, earlierSteps);
  const { slot: source, provider, version } = slotChoice;
  if (choice !== slotChoice.choice && version !== undefined)
    await storeChoice(services, provider, search.request, { choice, version });
  const steps = [...earlierSteps, ...attempts];
  const lastAttempt = attempts.at(-1);
  switch (lastAttempt?.outcome) {
    case 'delivered': {
      const foundImage: FoundImage = {
        provider: provider.name,
        source,
        delivery: lastAttempt,
        isSubstitute: isSubstituteAfter(attempts),
        cache: nameCacheStatus(steps),
        ...describeValidity(services, search, { ...slotChoice, choice }, attempts),
      };
      return { imageOutcome: await storeAndServe(services, search, foundImage), steps };
    }
    case 'refused':
      return { imageOutcome: { outcome: 'refused', refusal: lastAttempt.refusal }, steps };
    default:
      return { steps };
  }
}

/** Tries images until an attempt ends the search, none is left, or too many did not load. */
async function tryEntries(
  services: StockServices,
  search: WordSearch,
  { provider, choice: foundChoice }: SlotChoice,
  earlierSteps: readonly SearchStep[],
): Promise<{ readonly choice: Choice; readonly attempts: readonly EntryAttempt[] }> {
  const { request, context } = search;
  const seedIndex = indexOfSeed(request.seed, Math.max(1, foundChoice.entries.length));
  const attempts: EntryAttempt[] = [];
  const skippedEntries = new Set<ChoiceEntry>();
  let choice = foundChoice;
  while (attempts.filter(isLoadFailure).length < loadFailuresMax) {
    const entry = findNextEntry(choice, seedIndex, skippedEntries);
    if (!entry) break;
    const steps = [...earlierSteps, ...attempts];
    // The rendition that was counted for this request is of the seed's image, not of a substitute.
    const isCountedBefore = context.isRenditionCounted && !isSubstituteAfter(attempts);
    const attempt = await tryEntry(services, search, {
      provider,
      entry,
      urlTtlMs: provider.capability.urlTtlMs ?? choiceTtlMs,
      budget: computeBudget(context, steps),
      isWork: !isCountedBefore && !isCounted(steps, 'delivery'),
    });
    attempts.push(attempt);
    switch (attempt.outcome) {
      case 'unanswered':
      case 'shown-elsewhere':
        skippedEntries.add(entry);
        break;
      // The image leaves the choice. The image that takes its place is tried next.
      case 'removed':
      case 'broken':
        choice = removeEntry(choice, entry);
        break;
      case 'delivered':
        return { choice: replaceEntry(choice, entry, attempt.entry), attempts };
      default:
        return { choice, attempts };
    }
  }
  return { choice, attempts };
}

const isLoadFailure = ({ outcome }: EntryAttempt) => outcome === 'broken' || outcome === 'unanswered';

/** Returns true if the next image replaces one that the page shows in another place. */
const isSubstituteAfter = (attempts: readonly EntryAttempt[]) =>
  attempts.some(({ outcome }) => outcome === 'shown-elsewhere');

/** Finds the first entry from an index on that is not skipped; after the last entry comes the first. */
function findNextEntry(
  { entries }: Choice,
  index: number,
  skippedEntries: ReadonlySet<ChoiceEntry>,
): ChoiceEntry | undefined {
  const start = index % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)].find((entry) => !skippedEntries.has(entry));
}

/** Delivers an image, unless it was removed or the page shows it in another place. */
async function tryEntry(
  services: StockServices,
  search: WordSearch,
  order: DeliveryOrder,
): Promise<EntryAttempt> {
  const { batchSlot } = search.context;
  const pick = pickOf(order.provider.name, order.entry.candidate.id);
  const item = await readPickedImage(services, pick);
  if (item?.removal) return { kind: 'delivery', requests: 0, outcome: 'removed' };
  if (batchSlot && !(await batchSlot.reserve(pick)))
    return { kind: 'delivery', requests: 0, outcome: 'shown-elsewhere' };
  const delivery = await deliverEntry(services, search, order);
  if (delivery.outcome === 'broken' && item) await markGone(services, pick);
  return delivery;
}

/** Describes how long the image answers the request, and after how many seeds the images start over. */
function describeValidity(
  { clock, stockSettings }: StockServices,
  { request: { seed, source } }: WordSearch,
  { slot, provider, choice, version }: SlotChoice,
  attempts: readonly EntryAttempt[],
): Pick<FoundImage, 'answerEndsMs' | 'seedsStartOverAfter'> {
  const nowMs = clock.nowMs();
  const count = choice.entries.length;
  const seeds = (readSeedRank(seed) ?? 0) > count && { seedsStartOverAfter: count };
  const freshUntilMs = findFreshUntilMs(choice);
  const isStored = version !== undefined;
  // A stand-in comes from another provider, or replaces an image whose server did not answer.
  const isStandIn =
    slot !== source ||
    provider.name !== stockSettings.bindings[slot] ||
    attempts.some(({ outcome }) => outcome === 'unanswered');
  // Short, so that the wanted slot or image is soon tried again.
  if (isStandIn || (isStored && freshUntilMs <= nowMs))
    return { ...seeds, answerEndsMs: nowMs + standInTtlMs };
  return isStored ? { ...seeds, answerEndsMs: freshUntilMs } : { ...seeds };
}
