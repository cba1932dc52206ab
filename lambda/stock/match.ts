/** Scores the texts of an image against a subject: BM25, and the share of the subject that they name. */

import type { Subject } from './subject';
import { isScaffolding, isStopWord, stemOf, stemsOf, wordsOf } from './words';

/** The texts of a provider about an image, before they are cut. */
export interface ImageTexts {
  readonly title?: string | undefined;
  readonly alt?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The match of an image with a subject; independent of other images, so that it can be stored. */
export interface TextMatch {
  /** Around 0 to 2; higher is better. */
  readonly score: number;
  /** Weighted share of the subject that the texts name, from 0 to 1. */
  readonly coverage: number;
}

/** Field weights and saturation of BM25 (k1, b), and the words that an image is usually described by. */
const bm25 = { title: 1.2, tags: 1.2, alt: 0.8, k1: 0.8, b: 0.6, usualWords: 14 } as const;
/** A single word says less about the image in a longer title, or among more tags. */
const specific = { titleWordsMax: 8, tagsMax: 8, otherwise: 0.7 } as const;
const bonuses = { phrase: 0.15, titleFocus: 0.1, headOfTitle: 0.1, otherTitle: -0.12 } as const;

/** Compares texts with a subject: `score` 0 and `coverage` 0 where that has no words. */
export function matchTexts(texts: ImageTexts, subject: Subject): TextMatch {
  const { words } = subject;
  if (words.length === 0) return { score: 0, coverage: 0 };
  const title = readTitle(texts, subject);
  const alt = stemsOf(texts.alt);
  const tags = stemsOf(...(texts.tags ?? []));
  const isTitleShort = title.stems.length <= specific.titleWordsMax;
  const areTagsFew = (texts.tags?.length ?? 0) <= specific.tagsMax;
  const length = new Set([...title.stems, ...alt, ...tags]).size / bm25.usualWords;
  const damping = bm25.k1 * (1 - bm25.b + bm25.b * length);
  let totalWeight = 0;
  for (const { weight } of words) totalWeight += weight;
  let score = scoreTitle(title, subject);
  let coveredWeight = 0;
  for (const { stem, weight } of words) {
    let frequency = title.stems.includes(stem) ? bm25.title : 0;
    if (tags.has(stem)) frequency += bm25.tags;
    if (alt.has(stem)) frequency += bm25.alt;
    if (frequency === 0) continue;
    score += (weight / totalWeight) * ((frequency * (bm25.k1 + 1)) / (frequency + damping));
    const isSpecific =
      alt.has(stem) || (isTitleShort && title.names.has(stem)) || (areTagsFew && tags.has(stem));
    coveredWeight += weight * (isSpecific ? 1 : specific.otherwise);
  }
  return { score: roundToThousandth(score), coverage: roundToThousandth(coveredWeight / totalWeight) };
}

interface Title {
  /** Stems of its words in their order, without numbers. */
  readonly stems: readonly string[];
  /** Stems of the things that the title names: `flowers` of `orange flowers`, not `orange`. */
  readonly names: ReadonlySet<string>;
}

function readTitle({ title = '' }: ImageTexts, subject: Subject): Title {
  const words = wordsOf(title).filter((word) => !/^\d+$/.test(word));
  const stems = words.map(stemOf);
  const subjectStems = new Set(subject.words.map(({ stem }) => stem));
  const names = stems.filter((_, index) => endsName(words[index + 1], subjectStems));
  return { stems, names: new Set(names) };
}

/** Scores a title: for words of the subject side by side, for its head, and for few other words. */
function scoreTitle({ stems, names }: Title, { words, head }: Subject): number {
  let wordCount = 0;
  let phraseCount = 0;
  for (const [index, { stem }] of words.entries()) {
    if (!stems.includes(stem)) continue;
    wordCount += 1;
    const next = words[index + 1]?.stem;
    if (next !== undefined && stems[stems.indexOf(stem) + 1] === next) phraseCount += 1;
  }
  const contentCount = stems.filter((stem) => !isStopWord(stem)).length;
  let score = bonuses.phrase * phraseCount;
  if (contentCount > 0)
    score += wordCount > 0 ? (bonuses.titleFocus * wordCount) / contentCount : bonuses.otherTitle;
  if (head !== undefined && names.has(head)) score += bonuses.headOfTitle;
  return score;
}

/** Whether the word after a noun shows that the noun is no part of a longer name. */
function endsName(nextWord: string | undefined, subjectStems: ReadonlySet<string>): boolean {
  if (nextWord === undefined || isStopWord(nextWord) || isScaffolding(nextWord)) return true;
  // The noun ends before a verb (`dog running`) and before another word of the subject.
  return /(?:ing|ed)$/.test(nextWord) || subjectStems.has(stemOf(nextWord));
}

/** Weighs a match and the provider's own order together; `rank` is a place in that order, from 1. */
export function weighRelevance(score: number, rank: number, weights = { match: 1, rank: 0.2 }): number {
  return weights.match * score + weights.rank / Math.log2(rank + 1);
}

function roundToThousandth(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
