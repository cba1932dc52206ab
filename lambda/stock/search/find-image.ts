/** Finds a stock image: takes the choice of each slot in turn, and delivers the image of the seed from it. */

import type { ChoiceEntry } from '../../images/picked-images';
import { comparableWords, type StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import { type StockServices, slotsFor } from '../stock-services';
import { subjectOf } from '../subject';
import { type SlotResult, searchSlot } from './choice';
import { deliverChoice, type StepResult } from './deliver-choice';
import { refusalOfSearch } from './end-search';
import { findPicked } from './find-picked';
import { coverageOf } from './rank';
import { initialState, type SearchOutcome, type SearchRequest, type SearchState } from './search';
import type { SearchCaller } from './search-caller';

/** Finds an image at the slots, or draws one in a local service whose providers cannot serve one. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  format: RenditionFormat,
  caller: SearchCaller,
): Promise<SearchOutcome> {
  const { query, filters, pick, provider: slot } = request;
  if (pick !== undefined) return findPicked(services, { request, format, caller }, pick);
  const search = { request, format, caller, subject: subjectOf(comparableWords(query), filters.lang) };
  const { found, state } = await searchSlots(services, search);
  if (found.outcome !== 'refused' || !services.onUnreached) return found;
  services.onUnreached();
  const anew = { ...state, steps: [] };
  const drawn = await searchSlot(services, search, slot, services.findProvider('sandbox'), anew);
  return (await deliverChoice(services, search, drawn, stateAfter(anew, drawn))).found ?? found;
}

/** Searches slot by slot for a choice that fits, or takes the loose one that covers most of the subject. */
async function searchSlots(
  services: StockServices,
  search: SearchRequest,
): Promise<StepResult & { readonly found: SearchOutcome }> {
  const { request, caller, subject } = search;
  const { license, onmiss } = request.filters;
  const { bindings } = services.stockSettings;
  const loose: { readonly result: SlotResult; readonly coverage: number }[] = [];
  let state = initialState(caller);
  for (const slot of slotsFor(bindings, request.provider)) {
    const provider = services.findProvider(bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const result = await searchSlot(services, search, slot, provider, state);
    state = stateAfter(state, result);
    const { kept, searchWork } = result;
    if (!kept && typeof searchWork === 'object' && loose.length === 0)
      return { found: { outcome: 'refused', refusal: searchWork, isOfCaller: true }, state };
    const best: ChoiceEntry | undefined = kept?.value.entries[0];
    if (best?.fit === 'loose') loose.push({ result, coverage: coverageOf(best.candidate, subject) });
    if (!best || best.fit === 'loose') continue;
    const delivery = await deliverChoice(services, search, result, state);
    state = delivery.state;
    if (delivery.found) return { found: delivery.found, state };
  }
  // `onmiss=ai` prefers an AI image to a loose one.
  if (onmiss !== undefined && loose.length > 0) return { found: { outcome: 'none' }, state };
  for (const { result } of loose.sort((a, b) => b.coverage - a.coverage)) {
    const delivery = await deliverChoice(services, search, result, state);
    state = delivery.state;
    if (delivery.found) return { found: delivery.found, state };
  }
  return { found: refusalOfSearch(state.steps, services.clock.nowMs()), state };
}

function stateAfter(before: SearchState, result: SlotResult): SearchState {
  const { steps, searchWork } = before;
  return { ...before, steps: [...steps, result], searchWork: result.searchWork ?? searchWork };
}
