/** Finds a stock image. Each slot's provider has a choice, and the image of the seed is delivered from it. */

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

/** Finds the image of the request's pick. A request without a pick gets an image for its words. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  context: SearchContext,
): Promise<ImageOutcome> {
  const { query, filters, pick } = request;
  if (pick !== undefined) return findPicked(services, { request, context }, pick);
  const subject = readSubject(comparableWords(query), filters.lang);
  return findForWords(services, { request, context, subject });
}

/** Finds an image for words. A loose image is delivered only if no slot has an image that fits. */
async function findForWords(services: StockServices, search: WordSearch): Promise<ImageOutcome> {
  const { imageOutcome, looseChoices, steps } = await deliverFitting(services, search);
  if (imageOutcome) return imageOutcome;
  // `onmiss=ai` prefers an AI image to a loose one, even if a provider has failed.
  if (search.request.filters.onmiss !== undefined && looseChoices.length > 0) return noImageFound;
  return deliverLoose(services, search, sortByCoverage(looseChoices, search), steps);
}

/** Delivers from the first slot with a fitting image, and collects the loose choices of the slots before. */
async function deliverFitting(services: StockServices, search: WordSearch) {
  const { source, filters } = search.request;
  const { license } = filters;
  const { bindings } = services.stockSettings;
  let steps: readonly SearchStep[] = [];
  const looseChoices: SlotChoice[] = [];
  for (const slot of orderSlots(bindings, source)) {
    const provider = services.findProvider(bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const choiceSearch = await findChoice(services, search, provider, steps);
    steps = [...steps, choiceSearch];
    const { found: foundChoice, refusal } = choiceSearch;
    if (!foundChoice && refusal && looseChoices.length === 0)
      return { imageOutcome: { outcome: 'refused', refusal } as const, looseChoices, steps };
    if (!foundChoice) continue;
    const slotChoice = { slot, provider, ...foundChoice };
    if (foundChoice.choice.entries[0]?.fit === 'loose') {
      looseChoices.push(slotChoice);
      continue;
    }
    const delivery = await deliverChoice(services, search, slotChoice, steps);
    steps = delivery.steps;
    if (delivery.imageOutcome) return { imageOutcome: delivery.imageOutcome, looseChoices, steps };
  }
  return { looseChoices, steps };
}

/** Delivers from the first loose choice that has an image to show, or else from the fallback provider. */
async function deliverLoose(
  services: StockServices,
  search: WordSearch,
  looseChoices: readonly SlotChoice[],
  earlierSteps: readonly SearchStep[],
): Promise<ImageOutcome> {
  let steps = earlierSteps;
  for (const looseChoice of looseChoices) {
    const delivery = await deliverChoice(services, search, looseChoice, steps);
    if (delivery.imageOutcome) return delivery.imageOutcome;
    steps = delivery.steps;
  }
  const refusal = refuseWithoutImage(steps, services.clock.nowMs());
  const isAway = refusal.code === 'upstream_unavailable';
  return (isAway && (await findAtFallback(services, search, steps))) || { outcome: 'refused', refusal };
}

/** Sorts choices by how much of the subject their best image covers, the largest share first. */
function sortByCoverage(choices: readonly SlotChoice[], { subject }: WordSearch): readonly SlotChoice[] {
  const coverageOf = ({ choice: { entries } }: SlotChoice) =>
    entries[0] ? findMatch(entries[0].candidate, subject).coverage : 0;
  return choices.toSorted((a, b) => coverageOf(b) - coverageOf(a));
}

/** Delivers from the fallback provider; `undefined` if there is none, or if it has no image either. */
async function findAtFallback(
  services: StockServices,
  search: WordSearch,
  steps: readonly SearchStep[],
): Promise<ImageOutcome | undefined> {
  const { fallbackProvider } = services.stockSettings;
  if (fallbackProvider === undefined) return undefined;
  services.telemetry.info(unreachedMessage);
  const provider = services.findProvider(fallbackProvider);
  const choiceSearch = await findChoice(services, search, provider, steps);
  if (!choiceSearch.found) return undefined;
  const slotChoice = { slot: search.request.source, provider, ...choiceSearch.found };
  return (await deliverChoice(services, search, slotChoice, [...steps, choiceSearch])).imageOutcome;
}
