/** Searches an engine that requires all words: strictly first, more broadly while too little is found. */

import type { Candidate } from '../../../images/image';
import { relevanceOf } from '../../match';
import type { TakeRequest } from '../../stock-provider';
import { illustrated, respelt, type Subject, searchWords, strictWordsMax } from '../../understand';
import { candidatesMax } from '../core';

/** Candidates, and the share of the subject that one of them has to cover, so that no broader search is needed. */
const candidatesWanted = 5;
const coverageWanted = 0.5;

/** The searches of an engine; each sends one request. */
export interface Ladder {
  /** For images that have all of some words. */
  readonly strict: (words: string, subject: Subject) => Promise<readonly Candidate[]>;
  /** For more of them, one after the other, while there is not enough to choose from. */
  readonly broader: readonly (() => Promise<readonly Candidate[]>)[];
}

/**
 * What the searches find together, those that match best first, as many as are kept. Where nothing is found, a last search has the spelling corrected.
 * @throws what a search throws
 */
export async function climb(
  { strict, broader }: Ladder,
  subject: Subject,
  takeRequest: TakeRequest = async () => false,
): Promise<readonly Candidate[]> {
  if (subject.words.length === 0) return [];
  const things = illustrated(subject);
  let candidates = await strict(subject.things ?? searchWords(subject, strictWordsMax), things ?? subject);
  // Its own words find what is named after them, too.
  if (things && !candidates.some(isCovered) && (await takeRequest()))
    candidates = merged(candidates, await strict(searchWords(subject, strictWordsMax), subject));
  for (const search of things ? [] : broader) {
    if (isEnough(candidates) || !(await takeRequest())) break;
    candidates = merged(candidates, await search());
  }
  const corrected = candidates.length === 0 ? respelt(subject) : undefined;
  if (corrected && (await takeRequest()))
    candidates = await strict(searchWords(corrected, strictWordsMax), corrected);
  return [...candidates].sort((a, b) => scoreOf(b) - scoreOf(a)).slice(0, candidatesMax);
}

function isEnough(candidates: readonly Candidate[]): boolean {
  return candidates.length >= candidatesWanted && candidates.some(isCovered);
}

function isCovered({ description }: Candidate): boolean {
  return (description.match?.coverage ?? 0) >= coverageWanted;
}

/** The candidates of two answers, each once. A place in the broader one says less of an image: it counts from the next page on. */
function merged(strict: readonly Candidate[], broader: readonly Candidate[]): readonly Candidate[] {
  const ids = new Set(strict.map(({ id }) => id));
  const added = broader.filter(({ id }) => !ids.has(id));
  return [
    ...strict,
    ...added.map((each) => {
      const { description } = each;
      return { ...each, description: { ...description, rank: candidatesMax + description.rank } };
    }),
  ];
}

function scoreOf({ description: { match, rank } }: Candidate): number {
  return relevanceOf(match?.score ?? 0, rank);
}
