/** Ranks the images of a provider, and decides how well they fit. */

import { hashSha256 } from '../../base/hash';
import { type Avoidable, choiceImagesMax, type LicenseCondition } from '../../contract/request-bounds';
import { isAttributionFree, isPublicDomain } from '../../images/credit';
import { type Candidate, type Fit, getOrientation, type Orientation } from '../../images/image';
import type { License } from '../../images/record';
import { measureColorFit } from '../color';
import { matchTexts, type TextMatch, weighRelevance } from '../match';
import type { Subject } from '../subject';
import { stemWords } from '../words';

/** The fields of a candidate that its score depends on. */
export type Rankable = Pick<Candidate, 'widthPx' | 'heightPx' | 'description'>;

/** The fields of a request that scores depend on. */
export interface RankingCriteria {
  readonly subject: Subject;
  readonly orientation: Orientation;
  readonly avoid: readonly Avoidable[];
  /** A `ColorName`, or six hexadecimal digits in lower case. */
  readonly color?: string | undefined;
  readonly isRankedByRelevance: boolean;
}

const weights = {
  /** For a provider that ranks by relevance. Its rank says more than the few words of its reply. */
  ranked: { match: 0.2, rank: 2 },
  featured: 0.2,
  orientation: 0.15,
  largeEnough: 0.08,
  nonPhoto: -0.8,
  color: 0.6,
} as const;

/** Long side of an original that fills the common sizes without being enlarged, in pixels. */
const longSideWantedPx = 1_920;

/** Words for images that are no photographs. `painting` is left out, because paintings are photographed. */
const nonPhotoStems = stemWords(
  'map locator logo diagram chart vector illustration engraving lithograph clipart screenshot svg render',
);

const avoidedStems: Readonly<Record<Avoidable, ReadonlySet<string>>> = {
  people: stemWords(
    'people person man woman boy girl child kid baby family couple crowd human face portrait model selfie tourist hiker ' +
      'worker player bride groom lady gentleman guy teenager adult friend team athlete actor singer',
  ),
  text: stemWords(
    'text sign signage lettering typography quote writing words poster billboard label letter slogan graffiti',
  ),
};

/** Ranks candidates, best first. Candidates that show a thing to avoid are left out if there are others. */
export function rankCandidates<T extends Rankable>(candidates: readonly T[], criteria: RankingCriteria): T[] {
  const wantedCandidates = candidates.filter((candidate) => !isAvoided(candidate, criteria.avoid));
  return (wantedCandidates.length > 0 ? wantedCandidates : candidates)
    .map((candidate) => ({ candidate, score: scoreCandidate(candidate, criteria) }))
    .sort((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate);
}

/** Scores a candidate. Higher is better. The score does not depend on the requested size. */
export function scoreCandidate(candidate: Rankable, criteria: RankingCriteria): number {
  const { description, widthPx = 0, heightPx = 0 } = candidate;
  const { rank, isFeatured, title, tags = [] } = description;
  const subjectStems = new Set(criteria.subject.words.map(({ stem }) => stem));
  const isNonPhoto = [...stemWords(title, ...tags)].some(
    (stem) => nonPhotoStems.has(stem) && !subjectStems.has(stem),
  );
  const isOriented =
    widthPx > 0 && heightPx > 0 && getOrientation({ widthPx, heightPx }) === criteria.orientation;
  const { score } = matchCandidate(candidate, criteria.subject);
  return (
    weighRelevance(score, rank, criteria.isRankedByRelevance ? weights.ranked : undefined) +
    weights.featured * (isFeatured ? 1 : 0) +
    weights.orientation * (isOriented ? 1 : 0) +
    weights.largeEnough * (Math.max(widthPx, heightPx) >= longSideWantedPx ? 1 : 0) +
    weights.nonPhoto * (isNonPhoto ? 1 : 0) +
    weights.color * (criteria.color === undefined ? 0 : measureColorFit(description, criteria.color))
  );
}

function isAvoided({ description }: Rankable, avoid: readonly Avoidable[]): boolean {
  const { title, alt, tags = [] } = description;
  const stems = stemWords(title, alt, ...tags);
  return avoid.some((thing) => [...avoidedStems[thing]].some((stem) => stems.has(stem)));
}

/** Matches a candidate with a subject: by its uncut texts if that was done, or else by its stored texts. */
export function matchCandidate({ description }: Rankable, subject: Subject): TextMatch {
  return description.match ?? matchTexts(description, subject);
}

/** Smallest coverage of an `exact` fit, and of a `partial` fit. */
const exactCoverageMin = 0.85;
const partialCoverageMin = 0.3;

/** Decides the fit that the record states. An `exact` image should be right in nine of ten cases. */
export function decideFit(candidate: Rankable, subject: Subject): Fit {
  const { coverage } = matchCandidate(candidate, subject);
  if (coverage >= exactCoverageMin) return 'exact';
  return coverage >= partialCoverageMin ? 'partial' : 'loose';
}

/** Returns true if a licence meets the condition, or if there is no condition. */
export function isAllowed(license: License, condition: LicenseCondition | undefined): boolean {
  if (condition === undefined) return true;
  return condition === 'public-domain' ? isPublicDomain(license) : isAttributionFree(license);
}

/** Reads the n of a seed for the n-th best image; `undefined` for any other seed, which is hashed. */
export function parseSeedRank(seed: string): number | undefined {
  if (seed === '') return 1;
  return /^[1-9]\d?$/.test(seed) && Number(seed) <= choiceImagesMax ? Number(seed) : undefined;
}

/**
 * Computes the index of a seed in a list. A rank beyond the end starts over. For any other seed, the index with the
 * highest hash is taken: while a list grows or shrinks at its end, few of these seeds change their index.
 */
export function computeSeedIndex(seed: string, length: number): number {
  const rank = parseSeedRank(seed);
  const count = Math.max(1, length);
  if (rank !== undefined) return (rank - 1) % count;
  const hashes = Array.from({ length: count }, (_, index) => hashSha256(JSON.stringify([seed, index])));
  return hashes.indexOf(hashes.toSorted().at(-1) as string);
}
