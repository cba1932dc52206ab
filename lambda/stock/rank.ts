/** Orders what a provider offers, best first: what becomes the choice for some words. Pure, from what the provider said. */

import { createHash } from 'node:crypto';
import { type Avoidable, type LicenseCondition, rankSeedMax } from '../contract/request-bounds';
import { isAttributionFree, isPublicDomain } from '../images/credit';
import { type Description, type Fit, type Orientation, orientationOf } from '../images/image';
import type { License } from '../images/record';
import type { Size } from '../requests/rendition';
import { colorFitOf } from './color';
import { fitOfCoverage, matchOf, relevanceOf } from './match';
import type { Subject } from './understand';
import { stemsOf } from './words';

/** A candidate as far as its score depends on it. */
export interface Scored extends Partial<Size> {
  readonly id: string;
  readonly description: Description;
}

/** What candidates are compared with. */
export interface Wish {
  readonly subject: Subject;
  readonly orientation: Orientation;
  readonly avoid: readonly Avoidable[];
  /** A `ColorName`, or six hexadecimal digits in lower case. */
  readonly color?: string;
  /** The provider orders its answer by relevance itself, on more than it tells us (Unsplash, Pexels). */
  readonly isRankedByRelevance: boolean;
}

const weights = {
  /** Where the provider ranks by relevance itself, its rank says more than the few words that it returns. */
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

/** Media that are no photographs, as titles and tags name them; of a painting or a poster there are photographs too. */
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

/** The score of a candidate; higher is better. Never depends on the exact size that was asked for. */
export function scoreOf(candidate: Scored, wish: Wish): number {
  const { rank, isFeatured } = candidate.description;
  const { score } = matchWith(candidate, wish.subject);
  return (
    relevanceOf(score, rank, wish.isRankedByRelevance ? weights.ranked : undefined) +
    weights.featured * (isFeatured ? 1 : 0) +
    weights.orientation * (isOf(candidate, wish.orientation) ? 1 : 0) +
    weights.largeEnough * (isLargeEnough(candidate) ? 1 : 0) +
    weights.nonPhoto * (isNonPhoto(candidate, wish.subject) ? 1 : 0) +
    weights.avoided * (isAvoided(candidate, wish.avoid) ? 1 : 0) +
    weights.color * (wish.color === undefined ? 0 : colorFitOf(candidate.description, wish.color))
  );
}

/** Weighted share of the subject that title, alt text or tags name, from 0 to 1. */
export function coverageOf(candidate: Scored, subject: Subject): number {
  return matchWith(candidate, subject).coverage;
}

/** How much of the subject the image covers, as the record says it. */
export function fitOf(candidate: Scored, subject: Subject): Fit {
  return fitOfCoverage(coverageOf(candidate, subject));
}

/** Whether title or tags name a medium that is no photograph, and the subject does not. */
export function isNonPhoto({ description: { title, tags = [] } }: Scored, { words }: Subject): boolean {
  const wanted = new Set(words.map(({ stem }) => stem));
  return [...stemsOf(title, ...tags)].some((stem) => nonPhotoStems.has(stem) && !wanted.has(stem));
}

/** Whether the long side reaches `longSideWantedPx`; false where the size is not known. */
function isLargeEnough({ widthPx = 0, heightPx = 0 }: Partial<Size>): boolean {
  return Math.max(widthPx, heightPx) >= longSideWantedPx;
}

/** Whether title, alt text or tags name something that is to be kept out of the image. */
export function isAvoided(
  { description: { title, alt, tags = [] } }: Scored,
  avoid: readonly Avoidable[],
): boolean {
  const said = stemsOf(title, alt, ...tags);
  return avoid.some((subject) => [...avoidedStems[subject]].some((stem) => said.has(stem)));
}

/** Whether an image has an orientation; false where its size is not known. */
function isOf({ widthPx = 0, heightPx = 0 }: Partial<Size>, orientation: Orientation): boolean {
  return widthPx > 0 && heightPx > 0 && orientationOf({ widthPx, heightPx }) === orientation;
}

/** The match that was judged when the provider answered, or else one with what is kept of its texts. */
function matchWith({ description }: Scored, subject: Subject) {
  return description.match ?? matchOf(description, subject);
}

/**
 * By their score. Those that show what is to be avoided come only where there are no others. The same input always gives
 * the same order.
 */
export function ranked<T extends Scored>(candidates: readonly T[], wish: Wish): readonly T[] {
  const fitting = candidates.filter((each) => !isAvoided(each, wish.avoid));
  return (fitting.length > 0 ? fitting : candidates)
    .map((candidate) => ({
      candidate,
      score: scoreOf(candidate, wish),
      tie: createHash('sha256').update(candidate.id).digest('hex'),
    }))
    .sort((a, b) => b.score - a.score || (a.tie < b.tie ? -1 : 1))
    .map(({ candidate }) => candidate);
}

/** Whether a licence meets a condition; without one every licence does. */
export function isAllowed(license: License, condition: LicenseCondition | undefined): boolean {
  switch (condition) {
    case undefined:
      return true;
    case 'public-domain':
      return isPublicDomain(license);
    case 'attribution-free':
      return isAttributionFree(license);
  }
}

/** The n of a seed that means "the n-th best"; `undefined` for a seed that is a place in the list by its hash. */
export function rankOfSeed(seed: string): number | undefined {
  if (seed === '') return 1;
  if (!/^[1-9]\d?$/.test(seed)) return undefined;
  return Number(seed) <= rankSeedMax ? Number(seed) : undefined;
}

/** The place of a seed in a list that is not empty, from 0; beyond the end it starts over. */
export function placeOf(seed: string, length: number): number {
  const rank = rankOfSeed(seed);
  if (rank !== undefined) return (rank - 1) % length;
  return createHash('sha256').update(seed).digest().readUInt32BE(0) % length;
}
