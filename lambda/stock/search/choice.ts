/**
 * Makes and stores choices (`CHOICE#…`): images of one provider for words, orientation, language and filters,
 * best first. A seed is an index in a choice, at any size. A refresh keeps each image that still exists in
 * its place, unless even the best is loose: such a choice is made anew.
 */

import { sha256Hex } from '../../base/hash';
import { undefinedIfFailed } from '../../base/telemetry';
import { dayMs } from '../../base/window';
import { pickTtlMs } from '../../contract/providers';
import { choiceImagesMax } from '../../contract/request-bounds';
import { type Candidate, orientationOf } from '../../images/image';
import type { ChoiceEntry } from '../../images/picked-images';
import { comparableWords, filterTexts, type StockRequest } from '../../requests/image-request';
import { replaceItem } from '../items';
import type { StockProvider } from '../stock-provider';
import type { StockServices } from '../stock-services';
import { decideFit, isAllowed, rankCandidates } from './rank';
import type { Choice, FoundChoice, WordSearch } from './search-types';

/** Time for which a choice and its provider's description of an image are valid, in milliseconds. */
export const choiceTtlMs = 30 * dayMs;

/** Tells when a choice is searched again (epoch, milliseconds): after a day if its best image is loose. */
export function findFreshUntilMs({ entries, searchedMs }: Choice): number {
  return searchedMs + ((entries[0]?.fit ?? 'loose') === 'loose' ? dayMs : choiceTtlMs);
}

function rankEntries(
  { request, subject }: WordSearch,
  { capability }: StockProvider,
  candidates: readonly Candidate[],
  nowMs: number,
): readonly ChoiceEntry[] {
  const { avoid = [], color, license } = request.filters;
  const allowed = candidates.filter(({ attribution }) => isAllowed(attribution.license, license));
  return rankCandidates(allowed, {
    subject,
    orientation: orientationOf(request),
    avoid: [...avoid, ...subject.avoid],
    color,
    isRankedByRelevance: capability.ranksByRelevance,
  }).map((candidate) => ({ candidate, fit: decideFit(candidate, subject), checkedMs: nowMs }));
}

/**
 * Makes the choice after a search at `searchedMs`. What an older choice has and the search has not found
 * again stays, and is checked when it is asked for.
 */
export function makeChoice(
  search: WordSearch,
  provider: StockProvider,
  candidates: readonly Candidate[],
  searchedMs: number,
  older?: Choice,
): Choice {
  const foundEntries = rankEntries(search, provider, candidates, searchedMs);
  const keptEntries = older && older.entries[0]?.fit !== 'loose' ? older.entries : [];
  const keptIds = new Set(keptEntries.map(({ candidate }) => candidate.id));
  const foundById = new Map(foundEntries.map((entry) => [entry.candidate.id, entry]));
  const entries = [
    ...keptEntries.map((entry) => foundById.get(entry.candidate.id) ?? entry),
    ...foundEntries.filter(({ candidate }) => !keptIds.has(candidate.id)),
  ];
  return { entries: entries.slice(0, choiceImagesMax), keptCount: keptEntries.length, searchedMs };
}

/** Takes an image out of a choice. The best new one takes its place, so that the others keep theirs. */
export function removeEntry(choice: Choice, entry: ChoiceEntry): Choice {
  const { entries, keptCount } = choice;
  const index = entries.indexOf(entry);
  const bestNew = entries[keptCount];
  if (index >= keptCount) return { ...choice, entries: entries.toSpliced(index, 1) };
  if (!bestNew) return { ...choice, entries: entries.toSpliced(index, 1), keptCount: keptCount - 1 };
  return { ...choice, entries: entries.toSpliced(keptCount, 1).with(index, bestNew) };
}

/** Replaces an image of a choice by what its provider says now. */
export function replaceEntry(choice: Choice, entry: ChoiceEntry, renewed: ChoiceEntry): Choice {
  if (renewed === entry) return choice;
  return { ...choice, entries: choice.entries.with(choice.entries.indexOf(entry), renewed) };
}

/**
 * Stores a choice in place of the version that it was made from. Never throws.
 * @returns the choice that is stored, maybe by another request; without a version while the table fails
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
  const storedItem = await undefinedIfFailed(telemetry, 'A choice was not stored', replace);
  return storedItem ? { choice: storedItem.value, version: storedItem.version } : { choice };
}

/**
 * Makes the key of a choice's item. It depends on the orientation, not on the size, and on every filter but
 * `crop` and `onmiss`, which do not change the images that are found.
 */
export function makeChoiceKey(
  { stockSettings }: StockServices,
  { name }: StockProvider,
  request: StockRequest,
): string {
  const { crop: _crop, onmiss: _onmiss, ...filters } = request.filters;
  // A fake provider's images are at its own address.
  const hashedParts = [
    comparableWords(request.query),
    ...filterTexts(filters),
    stockSettings.endpoints[name],
  ];
  return `CHOICE#${name}#${orientationOf(request)}#${sha256Hex(JSON.stringify(hashedParts))}`;
}
