/** Finds a stock image: takes the choice of each slot in turn, and delivers the image of the seed from it. */

import type { StockProviderName } from '../../contract/providers';
import type { ImageOutcome } from '../../images/image-outcome';
import { comparableWords, type StockRequest } from '../../requests/image-request';
import { orderSlots, type StockServices, unreachedMessage } from '../stock-services';
import { readSubject } from '../subject';
import { deliverChoice } from './deliver-choice';
import { findChoice } from './find-choice';
import { findPicked, noImageFound } from './find-picked';
import { findMatch } from './rank';
import { refuseWithoutImage } from './search-steps';
import type { SearchContext, SearchStep, SlotChoice, WordSearch } from './search-types';

/** Finds the image of a pick, or one for words. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  context: SearchContext,
): Promise<ImageOutcome> {
  const { query, filters, pick } = request;
  if (pick !== undefined) return findPicked(services, { request, context }, pick);
  const subject = readSubject(comparableWords(query), filters.lang);
  return findAtSlots(services, { request, context, subject });
}

/** Delivers from the choices of the slots: from a fitting one as it is found, and then from loose ones. */
async function findAtSlots(services: StockServices, search: WordSearch): Promise<ImageOutcome> {
  const { source, filters } = search.request;
  const { license, onmiss } = filters;
  const { bindings, fallbackProvider } = services.stockSettings;
  let steps: readonly SearchStep[] = [];
  const looseChoices: SlotChoice[] = [];
  for (const slot of orderSlots(bindings, source)) {
    const provider = services.findProvider(bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const choiceSearch = await findChoice(services, search, provider, steps);
    steps = [...steps, choiceSearch];
    const { found, refusal } = choiceSearch;
    if (!found && refusal && looseChoices.length === 0) return { outcome: 'refused', refusal };
    if (!found) continue;
    const slotChoice = { slot, provider, ...found };
    if (found.choice.entries[0]?.fit === 'loose') {
      looseChoices.push(slotChoice);
      continue;
    }
    const delivery = await deliverChoice(services, search, slotChoice, steps);
    if (delivery.answer) return delivery.answer;
    steps = delivery.steps;
  }
  // `onmiss=ai` prefers an AI image to a loose one, also where a provider has failed.
  if (onmiss !== undefined && looseChoices.length > 0) return noImageFound;
  for (const looseChoice of sortByCoverage(looseChoices, search)) {
    const delivery = await deliverChoice(services, search, looseChoice, steps);
    if (delivery.answer) return delivery.answer;
    steps = delivery.steps;
  }
  const refusal = refuseWithoutImage(steps, services.clock.nowMs());
  if (refusal.code === 'upstream_unavailable' && fallbackProvider !== undefined) {
    const answer = await findAtFallback(services, search, fallbackProvider, steps);
    if (answer) return answer;
  }
  return { outcome: 'refused', refusal };
}

/** Sorts choices by the share of the subject that the best image of each covers, the largest first. */
function sortByCoverage(choices: readonly SlotChoice[], { subject }: WordSearch): readonly SlotChoice[] {
  const coverageOf = ({ choice: { entries } }: SlotChoice) =>
    entries[0] ? findMatch(entries[0].candidate, subject).coverage : 0;
  return choices.toSorted((a, b) => coverageOf(b) - coverageOf(a));
}

/** Delivers from the provider that stands in for those of the slots while none of them is reached. */
async function findAtFallback(
  services: StockServices,
  search: WordSearch,
  name: StockProviderName,
  steps: readonly SearchStep[],
): Promise<ImageOutcome | undefined> {
  services.telemetry.info(unreachedMessage);
  const provider = services.findProvider(name);
  const choiceSearch = await findChoice(services, search, provider, steps);
  if (!choiceSearch.found) return undefined;
  const slotChoice = { slot: search.request.source, provider, ...choiceSearch.found };
  return (await deliverChoice(services, search, slotChoice, [...steps, choiceSearch])).answer;
}
