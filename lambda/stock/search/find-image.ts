/** Finds a stock image: takes the choice of each slot in turn, and delivers the image of the seed from it. */

import type { UnpaidAnswer } from '../../quota/answer';
import { comparableWords, type StockRequest } from '../../requests/image-request';
import { type StockServices, slotsFor } from '../stock-services';
import { subjectOf } from '../subject';
import { deliverChoice } from './deliver-choice';
import { findChoice } from './find-choice';
import { findPicked } from './find-picked';
import { matchWith } from './rank';
import type { SearchContext } from './search-context';
import { SearchProgress } from './search-progress';
import type { SlotChoice, WordSearch } from './search-types';

/** Finds an image at the slots, or draws one in a local service whose providers do not serve one. */
export async function findImage(
  services: StockServices,
  request: StockRequest,
  context: SearchContext,
): Promise<UnpaidAnswer> {
  const { query, filters, pick } = request;
  const progress = new SearchProgress(services, context);
  if (pick !== undefined) return findPicked(services, { request, context, progress }, pick);
  const subject = subjectOf(comparableWords(query), filters.lang);
  const search = { request, context, progress, subject };
  for await (const slotChoice of choicesInTurn(services, search)) {
    const answer = await deliverChoice(services, search, slotChoice);
    if (answer) return answer;
  }
  const refusal = progress.refusalWithoutImage();
  const drawing =
    refusal.code === 'no_image_found' ? undefined : await drawWithoutProviders(services, search);
  return drawing ?? { outcome: 'refused', refusal };
}

/** Yields the choices of the slots: those that fit, as they are found, and then the loose ones. */
async function* choicesInTurn(services: StockServices, search: WordSearch): AsyncIterable<SlotChoice> {
  const { request, progress } = search;
  const { license, onmiss } = request.filters;
  const { bindings } = services.stockSettings;
  const looseChoices: SlotChoice[] = [];
  for (const slot of slotsFor(bindings, request.provider)) {
    const provider = services.findProvider(bindings[slot]);
    if (license !== undefined && provider.capability.unmetLicenses.includes(license)) continue;
    const { found, refusal } = await findChoice(services, search, provider);
    if (!found && refusal && looseChoices.length === 0) return progress.refuse(refusal);
    if (found?.choice.entries[0]?.fit === 'loose') looseChoices.push({ slot, provider, ...found });
    else if (found) yield { slot, provider, ...found };
  }
  // `onmiss=ai` prefers an AI image to a loose one, also where a provider has failed.
  if (onmiss === undefined) yield* byCoverage(looseChoices, search);
  else if (looseChoices.length > 0) progress.refuse({ code: 'no_image_found' });
}

/** Sorts choices by the share of the subject that the best image of each covers, the largest first. */
function byCoverage(choices: readonly SlotChoice[], { subject }: WordSearch): readonly SlotChoice[] {
  const coverageOf = ({ choice: { entries } }: SlotChoice) =>
    entries[0] ? matchWith(entries[0].candidate, subject).coverage : 0;
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
  return found && deliverChoice(services, search, { slot: search.request.provider, provider, ...found });
}
