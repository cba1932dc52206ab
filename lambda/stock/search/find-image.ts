/** Finds a stock image: takes the choice of each slot in turn, and delivers the image of the seed from it. */

import type { UnpaidAnswer } from '../../images/answer';
import { comparableWords, type StockRequest } from '../../requests/image-request';
import { orderSlots, type StockServices } from '../stock-services';
import { readSubject } from '../subject';
import { deliverChoice } from './deliver-choice';
import { findChoice } from './find-choice';
import { findPicked, noImageFound } from './find-picked';
import { findMatch } from './rank';
import { type SearchContext, SearchProgress } from './search-progress';
import type { SlotChoice, WordSearch } from './search-types';

/** Finds the image of a pick, or one for words. A local service whose providers serve none draws it. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  context: SearchContext,
): Promise<UnpaidAnswer> {
  const { query, filters, pick } = request;
  const progress = new SearchProgress(services, context);
  if (pick !== undefined) return findPicked(services, { request, context, progress }, pick);
  const subject = readSubject(comparableWords(query), filters.lang);
  const search = { request, context, progress, subject };
  const answer = await findAtSlots(services, search);
  const isUnreached = answer.outcome === 'refused' && answer.refusal.code === 'upstream_unavailable';
  return (isUnreached && (await drawWithoutProviders(services, search))) || answer;
}

/** Delivers from the choices of the slots: from a fitting one as it is found, and then from loose ones. */
async function findAtSlots(services: StockServices, search: WordSearch): Promise<UnpaidAnswer> {
  const { request, progress } = search;
  const { license, onmiss } = request.filters;
  const { bindings } = services.stockSettings;
  const looseChoices: SlotChoice[] = [];
  for (const slot of orderSlots(bindings, request.source)) {
    const provider = services.findProvider(bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const { found, refusal } = await findChoice(services, search, provider);
    if (!found && refusal && looseChoices.length === 0) return { outcome: 'refused', refusal };
    if (!found) continue;
    const slotChoice = { slot, provider, ...found };
    const isLoose = found.choice.entries[0]?.fit === 'loose';
    if (isLoose) looseChoices.push(slotChoice);
    const answer = isLoose ? undefined : await deliverChoice(services, search, slotChoice);
    if (answer) return answer;
  }
  // `onmiss=ai` prefers an AI image to a loose one, also where a provider has failed.
  if (onmiss !== undefined && looseChoices.length > 0) return noImageFound;
  for (const looseChoice of sortByCoverage(looseChoices, search)) {
    const answer = await deliverChoice(services, search, looseChoice);
    if (answer) return answer;
  }
  return { outcome: 'refused', refusal: progress.refusalWithoutImage() };
}

/** Sorts choices by the share of the subject that the best image of each covers, the largest first. */
function sortByCoverage(choices: readonly SlotChoice[], { subject }: WordSearch): readonly SlotChoice[] {
  const coverageOf = ({ choice: { entries } }: SlotChoice) =>
    entries[0] ? findMatch(entries[0].candidate, subject).coverage : 0;
  return choices.toSorted((a, b) => coverageOf(b) - coverageOf(a));
}

async function drawWithoutProviders(
  services: StockServices,
  search: WordSearch,
): Promise<UnpaidAnswer | undefined> {
  if (!services.onUnreached) return undefined;
  services.onUnreached();
  search.progress.startOver();
  const provider = services.findProvider('sandbox');
  const { found } = await findChoice(services, search, provider);
  return found && deliverChoice(services, search, { slot: search.request.source, provider, ...found });
}
