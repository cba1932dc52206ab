/** Finds a stock image. Each slot's provider has a choice, and the image of the seed is delivered from it. */

import type { ImageOutcome } from '../../images/image-outcome';
import { normaliseWords, type StockRequest } from '../../requests/image-request';
import { orderSlots, type StockServices, unreachedMessage } from '../stock-services';
import { parseSubject } from '../subject';
import { isLoose } from './choice';
import { deliverChoice, type SlotChoice } from './deliver-choice';
import { findChoice } from './find-choice';
import { findPickedImage, noImageFound } from './find-picked';
import { matchCandidate } from './rank';
import { createStockSearch, type SearchContext, type WordSearch } from './stock-search';

/** Finds the image of the request's pick. A request without a pick gets an image for its words. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  context: SearchContext,
): Promise<ImageOutcome> {
  const { query, filters, pick } = request;
  const search = createStockSearch(request, context);
  if (pick !== undefined) return findPickedImage(services, search, pick);
  const subject = parseSubject(normaliseWords(query), filters.lang);
  return findForWords(services, { ...search, subject });
}

/** Finds an image for words. A loose image is delivered only if no slot has an image that fits. */
async function findForWords(services: StockServices, search: WordSearch): Promise<ImageOutcome> {
  const { source, filters } = search.request;
  const { bindings, fallbackProvider } = services.stockSettings;
  const looseChoices: SlotChoice[] = [];
  for (const slot of orderSlots(bindings, source)) {
    const provider = services.findProvider(bindings[slot]);
    if (filters.license !== undefined && provider.capability.unmetLicenses.includes(filters.license))
      continue;
    const { found, refusal, failure } = await findChoice(services, search, provider);
    if (failure) search.noteFailure(failure);
    if (!found && refusal && looseChoices.length === 0) return { outcome: 'refused', refusal };
    if (!found) continue;
    const slotChoice = { slot, provider, ...found };
    if (isLoose(found.choice)) {
      looseChoices.push(slotChoice);
      continue;
    }
    const outcome = await deliverChoice(services, search, slotChoice);
    if (outcome) return outcome;
  }
  // `onmiss=ai` prefers an AI image to a loose one, even if a provider has failed.
  if (filters.onmiss !== undefined && looseChoices.length > 0) return noImageFound;
  for (const looseChoice of sortByCoverage(looseChoices, search)) {
    const outcome = await deliverChoice(services, search, looseChoice);
    if (outcome) return outcome;
  }
  const refusal = search.makeRefusal(services.clock.nowMs());
  if (refusal.code === 'upstream_unavailable' && fallbackProvider !== undefined) {
    services.telemetry.info(unreachedMessage);
    const provider = services.findProvider(fallbackProvider);
    const { found } = await findChoice(services, search, provider);
    const outcome = found && (await deliverChoice(services, search, { slot: source, provider, ...found }));
    if (outcome) return outcome;
  }
  return { outcome: 'refused', refusal };
}

/** Sorts choices by how much of the subject their best image covers, the largest share first. */
function sortByCoverage(choices: readonly SlotChoice[], { subject }: WordSearch): readonly SlotChoice[] {
  const getCoverage = ({ choice: { entries } }: SlotChoice) =>
    entries[0] ? matchCandidate(entries[0].candidate, subject).coverage : 0;
  return choices.toSorted((a, b) => getCoverage(b) - getCoverage(a));
}
