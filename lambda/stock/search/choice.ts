/**
 * A choice: the images of one provider for words, orientation, language and filters, best first. Seed n is the
 * n-th image at every size. Pages show the images of a choice, so a new search keeps them in their places. Only if
 * the best image is loose, a new search makes a new choice.
 */

import { dayMs } from '../../base/window';
import { choiceImagesMax } from '../../contract/request-bounds';
import { type Candidate, getOrientation } from '../../images/image';
import type { ChoiceEntry } from '../../images/picked-images';
import type { Refusal } from '../../problems/problem';
import type { StockProvider } from '../stock-provider';
import type { LookupFailure, WordLookup } from './lookup';
import { decideFit, isAllowed, rankCandidates } from './rank';

export interface Choice {
  /** At most 20; empty if the provider has no image. */
  readonly entries: readonly ChoiceEntry[];
  /** Number of first entries that earlier searches found. Pages may show them, so they keep their places. */
  readonly keptCount: number;
  readonly searchedMs: number;
}

/** A choice, and the version of its stored item. */
export interface VersionedChoice {
  readonly choice: Choice;
  /** Absent if the choice is not stored: for the operator's photographs, or if the table fails. */
  readonly version?: string;
}

/** What the search for a provider's choice has led to. A failed or refused search may still have a stored choice. */
export interface ChoiceResult {
  readonly found?: VersionedChoice | undefined;
  readonly refusal?: Refusal;
  readonly failure?: LookupFailure | undefined;
}

/** Time for which a choice and a description of an image are valid, in milliseconds. */
export const choiceTtlMs = 30 * dayMs;

/** Returns the moment of the next search: after a day if the best image is loose, or if there is none. */
export function getFreshUntilMs({ entries, searchedMs }: Choice): number {
  return searchedMs + ((entries[0]?.fit ?? 'loose') === 'loose' ? dayMs : choiceTtlMs);
}

/**
 * Makes the choice from the candidates of a search. The images of the earlier choice stay, even if the search has
 * not found them. They are checked when they are requested.
 */
export function makeChoice(
  { request, subject }: WordLookup,
  { capability }: StockProvider,
  { candidates, searchedMs }: { readonly candidates: readonly Candidate[]; readonly searchedMs: number },
  earlierChoice?: Choice,
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
  const keptEntries = earlierChoice && !isLoose(earlierChoice) ? earlierChoice.entries : [];
  // An image that is found again keeps its place, with its new description.
  const byId = new Map([...keptEntries, ...foundEntries].map((entry) => [entry.candidate.id, entry]));
  return { entries: [...byId.values()].slice(0, choiceImagesMax), keptCount: keptEntries.length, searchedMs };
}

/** Returns true if even the best image does not fit the words. An empty choice is not loose, because it has no image. */
export function isLoose({ entries }: Choice): boolean {
  return entries[0]?.fit === 'loose';
}

/** Removes an image from a choice. The best new image takes its place, so that the others keep their places. */
export function removeEntry(choice: Choice, entry: ChoiceEntry): Choice {
  const { entries, keptCount } = choice;
  const index = entries.indexOf(entry);
  const bestNewEntry = entries[keptCount];
  if (index >= keptCount) return { ...choice, entries: entries.toSpliced(index, 1) };
  if (!bestNewEntry) return { ...choice, entries: entries.toSpliced(index, 1), keptCount: keptCount - 1 };
  return { ...choice, entries: entries.toSpliced(keptCount, 1).with(index, bestNewEntry) };
}
