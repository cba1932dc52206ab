/** Finds a stock image: takes the choice of each slot in turn, and delivers the image of the seed from it. */

import { comparableWords, type StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import { type StockServices, slotsFor } from '../stock-services';
import { subjectOf } from '../subject';
import { deliverChoice } from './deliver-choice';
import { findPicked } from './find-picked';
import { coverageOf } from './rank';
import type { SearchOutcome, SearchRequest, SlotChoice } from './search';
import type { SearchCaller } from './search-caller';
import { SearchProgress } from './search-progress';
import { searchSlot } from './search-slot';

/** Finds an image at the slots, or draws one in a local service whose providers cannot serve one. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<SearchOutcome> {
  const { query, filters, pick } = request;
  const photoRequest = { request, format, caller, progress: new SearchProgress(services, caller) };
  if (pick !== undefined) return findPicked(services, photoRequest, pick);
  const search = { ...photoRequest, subject: subjectOf(comparableWords(query), filters.lang) };
  const outcome = await searchSlots(services, search);
  if (outcome.outcome !== 'refused' || !services.onUnreached) return outcome;
  services.onUnreached();
  search.progress.startOver();
  const drawn = await searchSlot(services, search, request.provider, services.findProvider('sandbox'));
  return (drawn.outcome === 'found' && (await deliverChoice(services, search, drawn))) || outcome;
}

/** Searches slot by slot for a choice that fits, or takes the loose one that covers most of the subject. */
async function searchSlots(services: StockServices, search: SearchRequest): Promise<SearchOutcome> {
  const { license, onmiss } = search.request.filters;
  const { bindings } = services.stockSettings;
  const looseChoices: SlotChoice[] = [];
  for (const slot of slotsFor(bindings, search.request.provider)) {
    const provider = services.findProvider(bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const result = await searchSlot(services, search, slot, provider);
    if (result.outcome === 'refused' && looseChoices.length === 0) return result;
    if (result.outcome !== 'found') continue;
    if (result.choice.entries[0]?.fit === 'loose') looseChoices.push(result);
    else {
      const outcome = await deliverChoice(services, search, result);
      if (outcome) return outcome;
    }
  }
  // `onmiss=ai` prefers an AI image to a loose one.
  if (onmiss !== undefined && looseChoices.length > 0) return { outcome: 'none' };
  for (const choice of byCoverage(looseChoices, search)) {
    const outcome = await deliverChoice(services, search, choice);
    if (outcome) return outcome;
  }
  return search.progress.endWithoutImage();
}

/** Choices by the share of the subject that the best image of each covers, the largest first. */
function byCoverage(choices: readonly SlotChoice[], { subject }: SearchRequest): readonly SlotChoice[] {
  const coverage = ({ choice: { entries } }: SlotChoice) =>
    entries[0] ? coverageOf(entries[0].candidate, subject) : 0;
  return choices.toSorted((a, b) => coverage(b) - coverage(a));
}
