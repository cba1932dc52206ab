/** The index of the operator's photographs, which is searched in memory. */

import { createDeadline } from '../../base/deadline';
import { matchTexts } from '../match';
import { correctSpelling, type Subject } from '../subject';
import { splitIntoWords, stemWord, stopWords } from '../words';
import { type LibraryServices, type Photo, readLibraryItem, readPhotos } from './manage-photos';

/** A photograph that matches. `subject` may be respelt, or have the words of the query without translation. */
interface PhotoMatch {
  readonly photo: Photo;
  readonly subject: Subject;
}

/** Finds photographs for a subject, best first. */
export type PhotoSearch = (subject: Subject) => readonly PhotoMatch[];

/** Most photographs that are scored. They are those with the most words of the subject. */
const scoredPhotosMax = 60;

/** An instance reads the index again after this time, in milliseconds. */
export const photoIndexTtlMs = 1_000;

/** Creates the function that reads the index. It reads each version of the index once. */
export function createPhotoIndexReader(
  services: Omit<LibraryServices, 'deadline'>,
): () => Promise<PhotoSearch> {
  let index: { readonly version: string; readonly search: Promise<PhotoSearch> } | undefined;
  let readMs = -Infinity;
  return async () => {
    const nowMs = services.clock.nowMs();
    if (index && readMs + photoIndexTtlMs > nowMs) return index.search;
    // Each read has a new deadline, because a deadline remembers the tables that did not answer.
    const item = await readLibraryItem({ ...services, deadline: createDeadline(Infinity) });
    const { value: path, version = '' } = item ?? {};
    if (index?.version !== version) {
      const search = readPhotos(services.imageStore, path).then(createPhotoIndex);
      index = { version, search };
      search.catch(() => {
        index = undefined;
      });
    }
    readMs = nowMs;
    return index.search;
  };
}

/** Creates the index from the stems of all photographs. */
export function createPhotoIndex(photos: readonly Photo[]): PhotoSearch {
  const photosByStem = new Map<string, number[]>();
  for (const [photoIndex, { stems }] of photos.entries())
    for (const stem of stems.split(' ')) {
      const indexes = photosByStem.get(stem);
      if (indexes) indexes.push(photoIndex);
      else photosByStem.set(stem, [photoIndex]);
    }

  const rankPhotos = (subject: Subject): readonly (PhotoMatch & { readonly score: number })[] => {
    const weights = new Map<number, number>();
    for (const { stem, weight } of subject.words)
      for (const photoIndex of photosByStem.get(stem) ?? [])
        weights.set(photoIndex, (weights.get(photoIndex) ?? 0) + weight);
    const bestIndexes = [...weights].sort(([a, x], [b, y]) => y - x || a - b).slice(0, scoredPhotosMax);
    return bestIndexes.map(([photoIndex]) => {
      const photo = photos[photoIndex] as Photo;
      return { photo, subject, score: matchTexts(getImageTexts(photo), subject).score };
    });
  };

  return (subject) => {
    // Keywords may be in the language of the query, and the subject is in English.
    const rankedMatches = [...rankPhotos(subject), ...rankPhotos(makeLiteralSubject(subject.query))];
    const correctedSubject = rankedMatches.length === 0 ? correctSpelling(subject) : undefined;
    const matches = correctedSubject ? rankPhotos(correctedSubject) : rankedMatches;
    const sortedMatches = [...matches].sort(
      (a, b) => b.score - a.score || (a.photo.id < b.photo.id ? -1 : 1),
    );
    // A photograph that both subjects find is listed once, with its better match.
    return sortedMatches.filter(
      ({ photo }, index) => sortedMatches.findIndex((match) => match.photo === photo) === index,
    );
  };
}

/** Returns the texts of a photograph under the names of `ImageTexts`. */
export function getImageTexts({ title, description, keywords }: Photo) {
  return { title, alt: description, tags: keywords };
}

function makeLiteralSubject(query: string): Subject {
  const words = [...new Set(splitIntoWords(query))]
    .filter((word) => !stopWords.has(word))
    .map((word) => ({ word, stem: stemWord(word), weight: 1 }));
  return { words, avoid: [], cleaned: query, query };
}
