/**
 * Choices (`CHOICE#…`): the images of one provider for words, orientation, language and filters, best first.
 * A seed is an index in a choice, at every size. A refresh keeps each image in its place, because
 * pages show it. If the best image is loose, a refresh makes a new choice.
 */

import { hashSha256 } from '../../base/hash';
import { tryOrReport } from '../../base/telemetry';
import { dayMs } from '../../base/window';
import { pickTtlMs } from '../../contract/providers';
import { choiceImagesMax } from '../../contract/request-bounds';
import { type Candidate, getOrientation } from '../../images/image';
import type { ChoiceEntry } from '../../images/picked-images';
import { listFilterTexts, normaliseWords, type StockRequest } from '../../requests/image-request';
import { replaceItem } from '../items';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { decideFit, isAllowed, rankCandidates } from './rank';
import type { Choice, FoundChoice, WordSearch } from './search-types';

/** Time for which a choice and a description of an image are valid, in milliseconds. */
export const choiceTtlMs = 30 * dayMs;

/** Returns the moment of the next search: after a day if the best image is loose. */
export function getFreshUntilMs({ entries, searchedMs }: Choice): number {
  return searchedMs + ((entries[0]?.fit ?? 'loose') === 'loose' ? dayMs : choiceTtlMs);
}

/**
 * Makes the choice from the candidates of a search. Images of the older choice stay, even if the search has not
 * found them. They are checked when they are requested.
 */
export function makeChoice(
  { request, subject }: WordSearch,
  { capability }: StockProvider,
  { candidates, searchedMs }: { readonly candidates: readonly Candidate[]; readonly searchedMs: number },
  older?: Choice,
): Choice {
  const { avoid = [], color, license } = request.filters;
  const allowedCandidates = candidates.filter(({ attribution }) => isAllowed(attribution.license, license));
  const rankedCandidates = rankCandidates(allowedCandidates, {
    subject,
    orientation: getOrientation(request),
    avoid: [...avoid, ...subject.avoid],
    color,
    isRankedByRelevance: capability.ranksByRelevance,
  });
  const foundEntries = rankedCandidates.map((candidate) => {
    return { candidate, fit: decideFit(candidate, subject), checkedMs: searchedMs };
  });
  const keptEntries = older && older.entries[0]?.fit !== 'loose' ? older.entries : [];
  // An image that is found again keeps its place, with its new description.
  const byId = new Map([...keptEntries, ...foundEntries].map((entry) => [entry.candidate.id, entry]));
  return { entries: [...byId.values()].slice(0, choiceImagesMax), keptCount: keptEntries.length, searchedMs };
}

/** Removes an image from a choice. The best new image takes its place, so that the others keep their places. */
export function removeEntry(choice: Choice, entry: ChoiceEntry): Choice {
  const { entries, keptCount } = choice;
  const index = entries.indexOf(entry);
  const bestNew = entries[keptCount];
  if (index >= keptCount) return { ...choice, entries: entries.toSpliced(index, 1) };
  if (!bestNew) return { ...choice, entries: entries.toSpliced(index, 1), keptCount: keptCount - 1 };
  return { ...choice, entries: entries.toSpliced(keptCount, 1).with(index, bestNew) };
}

/**
 * Stores a choice in place of the version that it was made from. Never throws.
 * @returns the stored choice, which may be another request's; without a version if the table fails
 */
export async function storeChoice(
  services: StockServices,
  provider: StockProvider,
  request: StockRequest,
  { choice, version }: FoundChoice,
): Promise<FoundChoice> {
  const { clock, ids, tables, telemetry } = services;
  const pk = makeChoiceKey(services, provider, request);
  const item = { TableName: tables.images, pk, value: choice, endsMs: clock.nowMs() + pickTtlMs };
  const replace = () => replaceItem(services, item, ids.hex(8), version);
  const storedItem = await tryOrReport(telemetry, 'A choice was not stored', replace);
  return storedItem ? { choice: storedItem.value, version: storedItem.version } : { choice };
}

/**
 * Makes the key of a choice's item. It depends on the orientation and not on the size. The filters `crop` and
 * `onmiss` are no part of it, because they do not change which images are found.
 */
export function makeChoiceKey(
  { stockSettings }: StockServices,
  { name }: StockProvider,
  request: StockRequest,
): string {
  const { crop: _crop, onmiss: _onmiss, ...filters } = request.filters;
  // A fake provider has other images.
  const endpoint = stockSettings.endpoints[name];
  const hashedParts = [normaliseWords(request.query), ...listFilterTexts(filters), endpoint];
  return `CHOICE#${name}#${getOrientation(request)}#${hashSha256(JSON.stringify(hashedParts))}`;
}
