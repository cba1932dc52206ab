/** Searches an engine that requires all words: strictly first, more broadly while too little is found. */

import { choiceImagesMax } from '../../contract/request-bounds';
import { type Candidate, type Orientation, orientationOf } from '../../images/image';
import { weighRelevance } from '../match';
import type { TakeRequest } from '../stock-provider';
import { addThings, correctSpelling, pickSearchWords, type Subject, strictWordsMax } from '../subject';

/** Candidates that are enough, where one of them covers this share of the subject. */
const candidatesWanted = 5;
const coverageWanted = 0.5;

type Candidates = readonly Candidate[];

/**
 * Searches by all words, or by the things in place of abstract ones, and by less while too little is found.
 * If nothing is found, a last search corrects spelling. Each further search takes a request.
 * @param strict searches for images that have all of some words
 * @param broader searches for more, one after the other, while there is not enough to choose from
 * @returns the candidates of all searches, best match first
 */
export async function searchUntilEnough(
  strict: (words: string, subject: Subject) => Promise<Candidates>,
  broader: readonly (() => Promise<Candidates>)[],
  subject: Subject,
  takeRequest: TakeRequest,
): Promise<Candidates> {
  if (subject.words.length === 0) return [];
  const byOwnWords = () => strict(pickSearchWords(subject, strictWordsMax), subject);
  const things = addThings(subject);
  const byThings = () => strict(subject.things ?? '', things ?? subject);
  let candidates = things
    ? // The abstract words themselves find images that are named after them.
      await searchInTurn([byThings, byOwnWords], 1, takeRequest)
    : await searchInTurn([byOwnWords, ...broader], candidatesWanted, takeRequest);
  const corrected = candidates.length === 0 ? correctSpelling(subject) : undefined;
  if (corrected && (await takeRequest()))
    candidates = await strict(pickSearchWords(corrected, strictWordsMax), corrected);
  return [...candidates].sort((a, b) => scoreCandidate(b) - scoreCandidate(a)).slice(0, choiceImagesMax);
}

/** Searches, and goes on while fewer than `wanted` are found, or none covers enough of the subject. */
async function searchInTurn(
  [first, ...others]: readonly [() => Promise<Candidates>, ...(() => Promise<Candidates>)[]],
  wanted: number,
  takeRequest: TakeRequest,
): Promise<Candidates> {
  let candidates = await first();
  for (const search of others) {
    const isEnough = candidates.length >= wanted && candidates.some(coversSubject);
    if (isEnough || !(await takeRequest())) break;
    candidates = mergeReplies(candidates, await search());
  }
  return candidates;
}

function coversSubject({ description }: Candidate): boolean {
  return (description.match?.coverage ?? 0) >= coverageWanted;
}

/** Merges the candidates of two replies, each once. Those of the broader one rank as if on the next page. */
function mergeReplies(strict: Candidates, broader: Candidates): Candidates {
  const ids = new Set(strict.map(({ id }) => id));
  const added = broader.filter(({ id }) => !ids.has(id));
  const ranked = added.map((candidate): Candidate => {
    const { description } = candidate;
    return { ...candidate, description: { ...description, rank: choiceImagesMax + description.rank } };
  });
  return [...strict, ...ranked];
}

function scoreCandidate({ description: { match, rank } }: Candidate): number {
  return weighRelevance(match?.score ?? 0, rank);
}

/** Keeps the candidates of an orientation; all if none has it, as another still beats no image. */
export function preferOrientation(candidates: Candidates, orientation: Orientation): Candidates {
  const oriented = candidates.filter(
    ({ widthPx = 1, heightPx = 1 }) => orientationOf({ widthPx, heightPx }) === orientation,
  );
  return oriented.length > 0 ? oriented : candidates;
}
