/** Searches an engine that requires all words. If it finds too little, broader searches follow. */

import { choiceImagesMax } from '../../contract/request-bounds';
import { type Candidate, getOrientation, type Orientation } from '../../images/image';
import { weighRelevance } from '../match';
import type { TakeRequest } from '../stock-provider';
import { addThing, correctSpelling, pickSearchWords, type Subject, strictWordsMax } from '../subject';

/** A search has found enough with this many candidates, if one of them covers this share of the subject. */
const candidatesWanted = 5;
const coverageWanted = 0.5;

type Candidates = readonly Candidate[];

/**
 * Searches by all words, or by the thing for abstract words. While too little is found, it searches by less.
 * If nothing is found, the last search is with corrected spelling. Each search after the first takes a request.
 * @param searchAllWords searches for images that have all of the given words
 * @returns the candidates of all searches, best match first
 */
export async function searchUntilEnough(
  searchAllWords: (words: string, subject: Subject) => Promise<Candidates>,
  broaderSearches: readonly (() => Promise<Candidates>)[],
  subject: Subject,
  takeRequest: TakeRequest,
): Promise<Candidates> {
  if (subject.words.length === 0) return [];
  const searchOwnWords = () => searchAllWords(pickSearchWords(subject, strictWordsMax), subject);
  const thingSubject = addThing(subject);
  // Some images are named after the abstract words themselves.
  const [searchFirst, ...laterSearches] = thingSubject
    ? ([() => searchAllWords(subject.thing ?? '', thingSubject), searchOwnWords] as const)
    : ([searchOwnWords, ...broaderSearches] as const);
  const candidatesMin = thingSubject ? 1 : candidatesWanted;
  let candidates = await searchFirst();
  for (const search of laterSearches) {
    const coverageMax = Math.max(...candidates.map(({ description }) => description.match?.coverage ?? 0));
    const isEnough = candidates.length >= candidatesMin && coverageMax >= coverageWanted;
    if (isEnough || !(await takeRequest())) break;
    candidates = mergeReplies(candidates, await search());
  }
  const correctedSubject = candidates.length === 0 ? correctSpelling(subject) : undefined;
  if (correctedSubject && (await takeRequest()))
    candidates = await searchAllWords(pickSearchWords(correctedSubject, strictWordsMax), correctedSubject);
  return [...candidates].sort((a, b) => scoreMatch(b) - scoreMatch(a)).slice(0, choiceImagesMax);
}

/** Merges two replies without duplicates. Candidates of the broader reply rank as if on the next page. */
function mergeReplies(reply: Candidates, broaderReply: Candidates): Candidates {
  const ids = new Set(reply.map(({ id }) => id));
  const newCandidates = broaderReply.filter(({ id }) => !ids.has(id));
  const rankedCandidates = newCandidates.map((candidate): Candidate => {
    const { description } = candidate;
    return { ...candidate, description: { ...description, rank: choiceImagesMax + description.rank } };
  });
  return [...reply, ...rankedCandidates];
}

const scoreMatch = ({ description: { match, rank } }: Candidate) => weighRelevance(match?.score ?? 0, rank);

/** Keeps the candidates of an orientation. If none has it, all stay, because any image is better than none. */
export function preferOrientation(candidates: Candidates, orientation: Orientation): Candidates {
  const orientedCandidates = candidates.filter(
    ({ widthPx = 1, heightPx = 1 }) => getOrientation({ widthPx, heightPx }) === orientation,
  );
  return orientedCandidates.length > 0 ? orientedCandidates : candidates;
}
