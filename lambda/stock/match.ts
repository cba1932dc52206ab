/** Compares the texts of an image with a subject. */

import type { Subject } from './subject';
import { mediumWords, splitIntoWords, stemWord, stemWords, stopWords } from './words';

export interface ImageTexts {
  readonly title?: string | undefined;
  readonly alt?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** How well an image matches a subject. It does not depend on other images, so it can be stored. */
export interface TextMatch {
  /** Usually 0 to 2. Higher is better. */
  readonly score: number;
  /** Weighted share of the subject that the texts name, from 0 to 1. */
  readonly coverage: number;
}

/** BM25: the weights of the fields, `k1`, `b`, and the usual number of words of an image. */
const bm25 = { title: 1.2, tags: 1.2, alt: 0.8, k1: 0.8, b: 0.6, usualWords: 14 } as const;
/** In a longer title or among more tags, one word says less about the image. */
const specificTexts = { titleWordsMax: 8, tagsMax: 8, otherwise: 0.7 } as const;
const bonuses = { phrase: 0.15, titleFocus: 0.1, headOfTitle: 0.1, otherTitle: -0.12 } as const;

/** Compares the texts of an image with a subject. A subject without words has the score and coverage 0. */
export function matchTexts(texts: ImageTexts, subject: Subject): TextMatch {
  const { words } = subject;
  if (words.length === 0) return { score: 0, coverage: 0 };
  const stemmedTexts = stemTexts(texts, subject);
  const totalWeight = words.reduce((sum, { weight }) => sum + weight, 0);
  let score = scoreTitle(stemmedTexts.title, subject);
  let coveredWeight = 0;
  for (const { stem, weight } of words) {
    score += (weight / totalWeight) * scoreStem(stem, stemmedTexts);
    coveredWeight += weight * computeCoverage(stem, stemmedTexts);
  }
  return { score: roundToThousandth(score), coverage: roundToThousandth(coveredWeight / totalWeight) };
}

type StemmedTexts = ReturnType<typeof stemTexts>;

function stemTexts({ title = '', alt, tags = [] }: ImageTexts, subject: Subject) {
  const titleWords = splitIntoWords(title).filter((word) => !/^\d+$/.test(word));
  const stems = titleWords.map(stemWord);
  const subjectStems = new Set(subject.words.map(({ stem }) => stem));
  // The things that the title names. `orange flowers` names `flowers`, not `orange`.
  const names = new Set(stems.filter((_, index) => isNameEnd(titleWords[index + 1], subjectStems)));
  const areTagsFew = tags.length <= specificTexts.tagsMax;
  return { title: { stems, names }, alt: stemWords(alt), tags: stemWords(...tags), areTagsFew };
}

/** Scores a stem by BM25: by the fields that have it, and less for an image with many words. */
function scoreStem(stem: string, { title, alt, tags }: StemmedTexts): number {
  let frequency = title.stems.includes(stem) ? bm25.title : 0;
  if (tags.has(stem)) frequency += bm25.tags;
  if (alt.has(stem)) frequency += bm25.alt;
  const length = new Set([...title.stems, ...alt, ...tags]).size / bm25.usualWords;
  const damping = bm25.k1 * (1 - bm25.b + bm25.b * length);
  return (frequency * (bm25.k1 + 1)) / (frequency + damping);
}

/** Returns the share of a stem that the texts cover: 1 if the image is clearly about it, 0 if none has it. */
function computeCoverage(stem: string, { title, alt, tags, areTagsFew }: StemmedTexts): number {
  const isTitleShort = title.stems.length <= specificTexts.titleWordsMax;
  if (alt.has(stem) || (isTitleShort && title.names.has(stem)) || (areTagsFew && tags.has(stem))) return 1;
  // A long title or a long list of tags names things that are in the picture only by the way.
  return title.stems.includes(stem) || tags.has(stem) ? specificTexts.otherwise : 0;
}

/** Scores a title. Words of the subject side by side, its head, and few other words are good. */
function scoreTitle({ stems, names }: StemmedTexts['title'], { words, head }: Subject): number {
  let wordCount = 0;
  let phraseCount = 0;
  for (const [index, { stem }] of words.entries()) {
    if (!stems.includes(stem)) continue;
    wordCount += 1;
    const nextStem = words[index + 1]?.stem;
    if (nextStem !== undefined && stems[stems.indexOf(stem) + 1] === nextStem) phraseCount += 1;
  }
  const contentCount = stems.filter((stem) => !stopWords.has(stem)).length;
  let score = bonuses.phrase * phraseCount;
  if (contentCount > 0)
    score += wordCount > 0 ? (bonuses.titleFocus * wordCount) / contentCount : bonuses.otherTitle;
  if (head !== undefined && names.has(head)) score += bonuses.headOfTitle;
  return score;
}

/** Returns true if the noun before a word ends a name: `fox` in `fox running`, and not in `fox kingdom`. */
function isNameEnd(nextWord: string | undefined, subjectStems: ReadonlySet<string>): boolean {
  if (nextWord === undefined || stopWords.has(nextWord) || mediumWords.has(nextWord)) return true;
  // The noun ends before a verb (`dog running`) and before another word of the subject.
  return /(?:ing|ed)$/.test(nextWord) || subjectStems.has(stemWord(nextWord));
}

/** Combines a match with the rank that the provider gave the image. @param rank from 1 */
export function weighRelevance(score: number, rank: number, weights = { match: 1, rank: 0.2 }): number {
  return weights.match * score + weights.rank / Math.log2(rank + 1);
}

function roundToThousandth(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
