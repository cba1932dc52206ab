/** Searches the operator's photographs by their words. */

import { deadlineAt } from '../../base/deadline';
import { matchOf } from '../match';
import { correctSpelling, type Subject } from '../subject';
import { isStopWord, stemOf, wordsOf } from '../words';
import { type LibraryServices, type Photo, readLibraryItem, readPhotos } from './manage-photos';

/** A photograph that a search has found, and the subject that it was found for. */
export interface FoundPhoto {
  readonly photo: Photo;
  readonly subject: Subject;
}

/** The photographs, in memory. */
export interface PhotoIndex {
  /** The best photographs for a query, best first; empty where none has a word of it. */
  search(subject: Subject, most: number): readonly FoundPhoto[];
}

/** Photographs that are compared closely: those that name most of the subject. */
const comparedMax = 60;

/** Time for which an instance relies on the index that it has read, in milliseconds. */
export const libraryReadForMs = 1_000;

/**
 * Reads the index once for each version of it, as its file never changes.
 * @throws when the table or the bucket does not answer, or a file is damaged
 */
export function createReadPhotoIndex(services: Omit<LibraryServices, 'deadline'>): () => Promise<PhotoIndex> {
  let index: { readonly version: string; readonly reading: Promise<PhotoIndex> } | undefined;
  let readMs = -Infinity;
  return async () => {
    const nowMs = services.clock.nowMs();
    if (index && readMs + libraryReadForMs > nowMs) return index.reading;
    // A new deadline for each read: a deadline remembers the tables that did not answer.
    const item = await readLibraryItem({ ...services, deadline: deadlineAt(Infinity) });
    const { value: path, version = '' } = item ?? {};
    if (index?.version !== version) {
      const reading = readPhotos(services.bucket, path).then(createPhotoIndex);
      index = { version, reading };
      reading.catch(() => {
        index = undefined;
      });
    }
    readMs = nowMs;
    return index.reading;
  };
}

/** Makes the index, in one pass over the stems of all photographs. */
export function createPhotoIndex(photos: readonly Photo[]): PhotoIndex {
  const places = new Map<string, number[]>();
  for (const [place, { stems }] of photos.entries())
    for (const stem of stems.split(' ')) {
      const others = places.get(stem);
      if (others) others.push(place);
      else places.set(stem, [place]);
    }

  const rank = (subject: Subject): readonly (FoundPhoto & { readonly score: number })[] => {
    const weights = new Map<number, number>();
    for (const { stem, weight } of subject.words)
      for (const place of places.get(stem) ?? []) weights.set(place, (weights.get(place) ?? 0) + weight);
    const nearest = [...weights].sort(([a, x], [b, y]) => y - x || a - b).slice(0, comparedMax);
    return nearest.map(([place]) => {
      const photo = photos[place] as Photo;
      return { photo, subject, score: matchOf(textsOf(photo), subject).score };
    });
  };

  return {
    search(subject, most) {
      // Keywords may be in the language of the query, which the subject is translated from.
      const found = [...rank(subject), ...rank(literally(subject.query))];
      const corrected = found.length === 0 ? correctSpelling(subject) : undefined;
      const best = new Map<string, FoundPhoto>();
      for (const each of [...found, ...(corrected ? rank(corrected) : [])].sort(
        (a, b) => b.score - a.score || (a.photo.id < b.photo.id ? -1 : 1),
      ))
        if (!best.has(each.photo.id)) best.set(each.photo.id, each);
      return [...best.values()].slice(0, most);
    },
  };
}

/** Returns the texts of a photograph in the form in which those of candidates are compared. */
export function textsOf({ title, description, keywords }: Photo) {
  return { title, alt: description, tags: keywords };
}

/** The words of a query as they are, each once. */
function literally(query: string): Subject {
  const words = [...new Set(wordsOf(query))]
    .filter((word) => !isStopWord(word))
    .map((word) => ({ word, stem: stemOf(word), weight: 1 }));
  return { words, avoid: [], cleaned: query, query };
}
