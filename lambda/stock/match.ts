/** How well what a provider says of an image matches a subject: BM25 over its texts, and how much of the subject they name. */

import type { Subject } from './understand';
import { isScaffolding, isStopWord, stemOf, wordsOf } from './words';

/** Everything that a provider says of an image, before any of it is cut. */
export interface Texts {
  readonly title?: string | undefined;
  readonly alt?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The match of an image with a subject; independent of other images, so that it can be kept. */
export interface Match {
  /** Around 0 to 2; higher is better. */
  readonly score: number;
  /** Weighted share of the subject that the texts name, from 0 to 1. */
  readonly coverage: number;
}

/** Field weights and saturation of BM25 (k1, b), and the words that an image is usually described by. */
const bm25 = { title: 1.2, tags: 1.2, alt: 0.8, k1: 0.8, b: 0.6, usualWords: 14 } as const;
/** Among more words of a title, or more tags, one says less of what the image shows. */
const specific = { titleWordsMax: 8, tagsMax: 8, otherwise: 0.7 } as const;
const bonuses = { phrase: 0.15, titleFocus: 0.1, headOfTitle: 0.1, otherTitle: -0.12 } as const;

/** `score` 0 and `coverage` 0 where the subject has no words. */
export function matchOf({ title = '', alt = '', tags = [] }: Texts, subject: Subject): Match {
  const titleWords = wordsOf(title).filter((word) => !/^\d+$/.test(word));
  const inTitle = titleWords.map(stemOf);
  const titleStems = new Set(inTitle);
  const altStems = new Set(wordsOf(alt).map(stemOf));
  const tagStems = new Set<string>();
  for (const tag of tags) {
    for (const word of wordsOf(tag)) tagStems.add(stemOf(word));
  }
  const stems = new Set(subject.words.map(({ stem }) => stem));
  /** Whether a word of the title is what that is about, and not said of another thing (`orange` in `orange flowers`). */
  const isNamed = (stem: string) =>
    inTitle.some((each, at) => each === stem && endsName(titleWords[at + 1], stems));
  const total = subject.words.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return { score: 0, coverage: 0 };

  const length = new Set([...titleStems, ...altStems, ...tagStems]).size / bm25.usualWords;
  const damping = bm25.k1 * (1 - bm25.b + bm25.b * length);
  let covered = 0;
  let score = 0;
  let inTitleCount = 0;
  subject.words.forEach(({ stem, weight }, index) => {
    const next = subject.words[index + 1];
    const isTitled = titleStems.has(stem);
    if (isTitled) inTitleCount++;
    const frequency =
      (isTitled ? bm25.title : 0) +
      (tagStems.has(stem) ? bm25.tags : 0) +
      (altStems.has(stem) ? bm25.alt : 0);
    if (frequency > 0) {
      const isSpecific =
        altStems.has(stem) ||
        (isTitled && inTitle.length <= specific.titleWordsMax && isNamed(stem)) ||
        (tagStems.has(stem) && tags.length <= specific.tagsMax);
      covered += weight * (isSpecific ? 1 : specific.otherwise);
      score += (weight / total) * ((frequency * (bm25.k1 + 1)) / (frequency + damping));
    }
    if (next === undefined) return;
    const at = inTitle.indexOf(stem);
    if (at >= 0 && inTitle[at + 1] === next.stem) score += bonuses.phrase;
  });
  const content = inTitle.filter((stem) => !isStopWord(stem)).length;
  if (content > 0)
    score += inTitleCount > 0 ? (bonuses.titleFocus * inTitleCount) / content : bonuses.otherTitle;
  if (subject.head !== undefined && isNamed(subject.head)) score += bonuses.headOfTitle;
  return { score: rounded(score), coverage: rounded(covered / total) };
}

/** A match and the provider's own order weighed together; `rank` is a place in that order, from 1. */
export function relevanceOf(score: number, rank: number, weights = { match: 1, rank: 0.2 }): number {
  return weights.match * score + weights.rank / Math.log2(rank + 1);
}

/** To three digits, as matches are stored. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Whether the word after a noun shows that the noun is no part of a longer name. */
function endsName(next: string | undefined, stems: ReadonlySet<string>): boolean {
  if (next === undefined || isStopWord(next) || isScaffolding(next)) return true;
  // A verb, or another word of the subject.
  return /(?:ing|ed)$/.test(next) || stems.has(stemOf(next));
}
