/** How well a candidate fits a query: a pure, versioned score, from what the provider said about the image. */

import type { Avoidable } from '../contract/request-bounds';
import { type Description, type Fit, type Orientation, orientationOf } from '../images/image';
import type { Size } from '../requests/rendition';
import { colorFitOf } from './color';
import { contentWordsOf, stemOf, stemsOf } from './content-words';

/** A candidate as far as its score depends on it. */
export interface Scored extends Partial<Size> {
  readonly id: string;
  readonly description: Description;
}

/** What candidates are compared with. */
export interface Wish {
  readonly query: string;
  readonly orientation: Orientation;
  readonly avoid: readonly Avoidable[];
  /** A `ColorName`, or six hexadecimal digits in lower case. */
  readonly color?: string;
  /** The provider orders its answer by relevance itself, on more than it tells us (Unsplash, Pexels). */
  readonly isRankedByRelevance: boolean;
}

/** Changes with every change of the score; picks that are stored keep the image they have. */
export const scoreVersion = 1;

const weights = {
  coverage: 3,
  titleHit: 1,
  rank: 2,
  featured: 0.5,
  ratioFit: 0.5,
  bigEnough: 0.3,
  nonPhoto: -4,
  avoided: -3,
  /** Only where a colour is asked for. */
  color: 1.5,
} as const;

/** Long side from which an original fills the common sizes without being enlarged, in pixels. */
const longSideWantedPx = 1_920;

/** Ratio of width to height by which an orientation is judged, as picks serve every size of one. */
const typicalRatios: Readonly<Record<Orientation, number>> = { landscape: 1.5, portrait: 2 / 3, square: 1 };

/** Subjects of which a search by words finds images that are no photographs. */
const nonPhotoStems = stemsOf(
  'map locator flag logo diagram plan icon coat arms chart poster stamp sign svg drawing sketch engraving lithograph scan page',
);
/** `coat` and `arms` count together only: a winter coat is a photograph. */
const pairedStems: ReadonlySet<string> = new Set(['coat', 'arm']);

const avoidedStems: Readonly<Record<Avoidable, ReadonlySet<string>>> = {
  people: stemsOf(
    'people person man men woman women boy girl child children kid baby family couple crowd human face portrait model selfie ' +
      'tourist hiker worker player bride groom lady gentleman guy teenager adult friend team athlete actor singer',
  ),
  text: stemsOf(
    'text sign signage lettering typography quote writing words poster billboard label letter slogan graffiti',
  ),
};

/** The score of a candidate; higher is better. Never depends on the exact size that was asked for. */
export function scoreOf(candidate: Scored, wish: Wish): number {
  const { rank, title, isFeatured } = candidate.description;
  return (
    // Where the provider ranks by relevance itself, its rank says more than the few words it returns.
    weights.coverage * (wish.isRankedByRelevance ? 1 : coverageOf(candidate, wish.query)) +
    weights.titleHit * shareOf(wish.query, stemsOf(title)) +
    weights.rank / Math.log2(rank + 2) +
    weights.featured * (isFeatured ? 1 : 0) +
    weights.ratioFit * ratioFitOf(candidate, wish.orientation) +
    weights.bigEnough * (isBigEnough(candidate) ? 1 : 0) +
    weights.nonPhoto * (isNonPhoto(candidate, wish.query) ? 1 : 0) +
    weights.avoided * (isAvoided(candidate, wish.avoid) ? 1 : 0) +
    weights.color * (wish.color === undefined ? 0 : colorFitOf(candidate.description, wish.color))
  );
}

/** Share of the query's content words that stand in title, alt text or tags, from 0 to 1. */
export function coverageOf({ description: { title, alt, tags = [] } }: Scored, query: string): number {
  return shareOf(query, stemsOf(title, alt, ...tags));
}

/** `exact`: every content word is covered; `loose`: none is. */
export function fitOf(candidate: Scored, query: string): Fit {
  const coverage = coverageOf(candidate, query);
  if (coverage === 1) return 'exact';
  return coverage > 0 ? 'partial' : 'loose';
}

/** Whether title or tags name a subject that is no photograph, and the query does not. */
export function isNonPhoto({ description: { title, tags = [] } }: Scored, query: string): boolean {
  const asked = stemsOf(query);
  const said = stemsOf(title, ...tags);
  const isArms = [...pairedStems].every((stem) => said.has(stem));
  return [...said].some(
    (stem) => nonPhotoStems.has(stem) && !asked.has(stem) && (!pairedStems.has(stem) || isArms),
  );
}

/** Whether the long side reaches `longSideWantedPx`; false where the size is not known. */
export function isBigEnough({ widthPx = 0, heightPx = 0 }: Partial<Size>): boolean {
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

function shareOf(query: string, said: ReadonlySet<string>): number {
  const words = contentWordsOf(query);
  if (words.length === 0) return 0;
  return words.filter((word) => said.has(stemOf(word))).length / words.length;
}

/** Share of the area that a cover crop to the orientation's typical ratio keeps; 0 for another orientation. */
function ratioFitOf({ widthPx, heightPx }: Partial<Size>, orientation: Orientation): number {
  if (widthPx === undefined || heightPx === undefined) return 0;
  if (orientationOf({ widthPx, heightPx }) !== orientation) return 0;
  const ratio = widthPx / heightPx / typicalRatios[orientation];
  return Math.min(ratio, 1 / ratio);
}
