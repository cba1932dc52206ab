/**
 * Ranks the images that a provider offers for some words. What counts most is how well the texts of an image
 * match the words (BM25, and how much of the subject they name), then what else the provider says of it.
 */

import { sha256Hex } from '../base/sha256-hex';
import { type Avoidable, type LicenseCondition, rankSeedMax } from '../contract/request-bounds';
import { isAttributionFree, isPublicDomain } from '../images/credit';
import { type Candidate, type Fit, type Orientation, orientationOf } from '../images/image';
import type { License } from '../images/record';
import { colorFitOf } from './color';
import type { Subject } from './understand';
import { isScaffolding, isStopWord, stemOf, stemsOf, wordsOf } from './words';

/** A candidate as far as its place depends on it. */
export type Scored = Pick<Candidate, 'widthPx' | 'heightPx' | 'description'>;

/** The wanted image, with which candidates are compared. */
export interface Wish {
  readonly subject: Subject;
  readonly orientation: Orientation;
  readonly avoid: readonly Avoidable[];
  /** A `ColorName`, or six hexadecimal digits in lower case. */
  readonly color?: string | undefined;
  /** The provider orders its answer by relevance itself, on more than it tells us (Unsplash, Pexels). */
  readonly isRankedByRelevance: boolean;
}

const weights = {
  /** The rank of a provider that ranks by relevance says more than the few words that it returns. */
  ranked: { match: 0.2, rank: 2 },
  featured: 0.2,
  orientation: 0.15,
  largeEnough: 0.08,
  nonPhoto: -0.8,
  avoided: -1.5,
  /** Only where a colour is asked for. */
  color: 0.6,
} as const;

/** Long side from which an original fills the common sizes without being enlarged, in pixels. */
const longSideWantedPx = 1_920;

/** Words for what is no photograph. `painting` and `poster` are not among them: both are photographed. */
const nonPhotoStems = stemsOf(
  'map locator logo diagram chart vector illustration engraving lithograph clipart screenshot svg render',
);

const avoidedStems: Readonly<Record<Avoidable, ReadonlySet<string>>> = {
  people: stemsOf(
    'people person man woman boy girl child kid baby family couple crowd human face portrait model selfie tourist hiker ' +
      'worker player bride groom lady gentleman guy teenager adult friend team athlete actor singer',
  ),
  text: stemsOf(
    'text sign signage lettering typography quote writing words poster billboard label letter slogan graffiti',
  ),
};

/** Candidates by score, best first, without those that show what is to be avoided where others remain. */
export function ranked<T extends Scored>(candidates: readonly T[], wish: Wish): readonly T[] {
  const fitting = candidates.filter((each) => !isAvoided(each, wish.avoid));
  return (fitting.length > 0 ? fitting : candidates)
    .map((candidate) => ({ candidate, score: scoreOf(candidate, wish) }))
    .sort((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate);
}

/** The score of a candidate; higher is better. Never depends on the exact size that was asked for. */
export function scoreOf(candidate: Scored, wish: Wish): number {
  const { description, widthPx = 0, heightPx = 0 } = candidate;
  const { rank, isFeatured, title, tags = [] } = description;
  const wanted = new Set(wish.subject.words.map(({ stem }) => stem));
  const isNonPhoto = [...stemsOf(title, ...tags)].some(
    (stem) => nonPhotoStems.has(stem) && !wanted.has(stem),
  );
  const isOriented = widthPx > 0 && heightPx > 0 && orientationOf({ widthPx, heightPx }) === wish.orientation;
  const { score } = matchWith(candidate, wish.subject);
  return (
    relevanceOf(score, rank, wish.isRankedByRelevance ? weights.ranked : undefined) +
    weights.featured * (isFeatured ? 1 : 0) +
    weights.orientation * (isOriented ? 1 : 0) +
    weights.largeEnough * (Math.max(widthPx, heightPx) >= longSideWantedPx ? 1 : 0) +
    weights.nonPhoto * (isNonPhoto ? 1 : 0) +
    weights.avoided * (isAvoided(candidate, wish.avoid) ? 1 : 0) +
    weights.color * (wish.color === undefined ? 0 : colorFitOf(description, wish.color))
  );
}

/** Whether title, alt text or tags name something that is to be kept out of the image. */
function isAvoided({ description: { title, alt, tags = [] } }: Scored, avoid: readonly Avoidable[]): boolean {
  const stems = stemsOf(title, alt, ...tags);
  return avoid.some((each) => [...avoidedStems[each]].some((stem) => stems.has(stem)));
}

/** The match with all texts that the provider sent, or else with those that are kept of them. */
function matchWith({ description }: Scored, subject: Subject) {
  return description.match ?? matchOf(description, subject);
}

/** The share of a subject's weight that title, alt text or tags name, from 0 to 1. */
export function coverageOf(candidate: Scored, subject: Subject): number {
  return matchWith(candidate, subject).coverage;
}

/** Coverage from which a fit is `exact`, and from which it is `partial`. */
const exactFrom = 0.85;
const partialFrom = 0.3;

/**
 * The fit that the record states: `exact` from 85 % of the weight of the subject's words, `partial` from 30
 * %, otherwise `loose`, which may still name one word of four. An `exact` image is meant to be right in nine
 * of ten cases.
 */
export function fitOf(candidate: Scored, subject: Subject): Fit {
  const coverage = coverageOf(candidate, subject);
  if (coverage >= exactFrom) return 'exact';
  return coverage >= partialFrom ? 'partial' : 'loose';
}

/** Whether a licence meets a condition; without one every licence does. */
export function isAllowed(license: License, condition: LicenseCondition | undefined): boolean {
  if (condition === undefined) return true;
  return condition === 'public-domain' ? isPublicDomain(license) : isAttributionFree(license);
}

/** The n of a seed that means the n-th best image; `undefined` for a seed whose hash is its place. */
export function rankOfSeed(seed: string): number | undefined {
  if (seed === '') return 1;
  return /^[1-9]\d?$/.test(seed) && Number(seed) <= rankSeedMax ? Number(seed) : undefined;
}

/** The place of a seed in a list that is not empty, from 0; beyond the end it starts over. */
export function placeOf(seed: string, length: number): number {
  const rank = rankOfSeed(seed);
  return (rank === undefined ? Number.parseInt(sha256Hex(seed).slice(0, 8), 16) : rank - 1) % length;
}

/** The texts of a provider about an image, before they are cut. */
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

/** Compares texts with a subject: `score` 0 and `coverage` 0 where that has no words. */
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
  /** Whether a word is what the title is about, unlike `orange` in `orange flowers`. */
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

/** Rounds to three digits, as matches are stored. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Whether the word after a noun shows that the noun is no part of a longer name. */
function endsName(next: string | undefined, stems: ReadonlySet<string>): boolean {
  if (next === undefined || isStopWord(next) || isScaffolding(next)) return true;
  // A verb, or another word of the subject.
  return /(?:ing|ed)$/.test(next) || stems.has(stemOf(next));
}
