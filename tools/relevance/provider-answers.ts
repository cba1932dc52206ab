/** Answers as the providers shape them, made of graded images: 20 candidates each, the same in every run. */

import { createHash } from 'node:crypto';
import type { StockProviderName } from '../../lambda/contract/providers';
import type { Scored } from '../../lambda/stock/rank';
import type { Grade, GradedImage, GradedQuery } from './graded-queries';

/** The providers whose answers are simulated; others are not measured. */
export const measuredProviders = [
  'openverse',
  'wikimedia',
  'unsplash',
  'pexels',
  'pixabay',
] as const satisfies readonly StockProviderName[];
/** One of `measuredProviders`. */
export type MeasuredProvider = (typeof measuredProviders)[number];

/** Providers that rank by relevance themselves, and have photos only. */
export const rankingProviders: readonly MeasuredProvider[] = ['unsplash', 'pexels'];

const candidatesOfAnswer = 20;
/** How much of a place in an answer is chance, from 0 to 1; the rest is the match of words, or of the image itself. */
const chance: Readonly<Record<MeasuredProvider, number>> = {
  openverse: 0.6,
  wikimedia: 0.6,
  unsplash: 0.35,
  pexels: 0.35,
  pixabay: 0.5,
};
/** What is no photograph, by the tags that it has in the graded queries. */
const nonPhotoTags =
  /^(map|scan|logo|chart|plan|engraving|drawing|diagram|icon|poster|sign|stamp|locator|flag|svg|lithograph|sketch|page|coat of arms)$/;

/** A candidate with what a person has said of it. */
export interface GradedCandidate extends Scored {
  readonly grade: Grade;
  readonly isNonPhoto: boolean;
}

/** The answer of a provider to a query, in the provider's order; what others queries found fills it up, as unfit. */
export function answerOf(
  provider: MeasuredProvider,
  graded: GradedQuery,
  all: readonly GradedQuery[],
): readonly GradedCandidate[] {
  const draw = (text: string) => unitOf(`${provider} ${graded.query} ${text}`);
  const isRanking = rankingProviders.includes(provider);
  const isOffered = (image: GradedImage) => !(isRanking && isNonPhoto(image));
  const own = graded.images.filter(isOffered);
  const others = all
    .filter(({ query }) => query !== graded.query)
    .flatMap(({ images }) => images)
    .filter((image) => isOffered(image) && matchOf(graded.query, image) === 0)
    .map((image) => ({ ...image, grade: 0 as const }));
  const noise = sortedBy(others, ({ title }) => draw(`noise ${title}`));
  const keyOf = (image: GradedImage) => {
    const relevance = isRanking ? image.grade / 3 : matchOf(graded.query, image);
    return (1 - chance[provider]) * relevance + chance[provider] * draw(image.title);
  };
  return sortedBy([...own, ...noise.slice(0, candidatesOfAnswer - own.length)], (image) => -keyOf(image)).map(
    (image, index) => candidateOf(provider, image, index + 1, draw),
  );
}

/** Items in ascending order of a number, which is worked out once for each. */
function sortedBy<T>(items: readonly T[], numberOf: (item: T) => number): readonly T[] {
  return items
    .map((item) => ({ item, number: numberOf(item) }))
    .sort((a, b) => a.number - b.number)
    .map(({ item }) => item);
}

/** What a provider tells: archives title and tags, photographers' sites a description, Pixabay tags alone. */
function candidateOf(
  provider: MeasuredProvider,
  image: GradedImage,
  rank: number,
  draw: (text: string) => number,
): GradedCandidate {
  const { grade, title, tags } = image;
  const isFeatured = provider === 'wikimedia' && grade >= 2 && draw(`featured ${title}`) > 0.6;
  const said = {
    openverse: { title, tags },
    wikimedia: { title, tags, ...(isFeatured && { isFeatured: true as const }) },
    unsplash: { alt: title.toLowerCase() },
    pexels: { alt: title },
    pixabay: { tags },
  }[provider];
  return {
    id: createHash('sha256').update(`${provider} ${title}`).digest('hex').slice(0, 16),
    widthPx: 3_000,
    heightPx: 2_000,
    description: { rank, ...said },
    grade,
    isNonPhoto: isNonPhoto(image),
  };
}

function isNonPhoto({ grade, tags }: GradedImage): boolean {
  return grade === 0 && tags.some((tag) => nonPhotoTags.test(tag));
}

/** Share of the query's words that stand in title or tags, as a search engine compares them. */
function matchOf(query: string, { title, tags }: GradedImage): number {
  const text = `${title} ${tags.join(' ')}`.toLowerCase();
  const words = query.toLowerCase().split(' ');
  return words.filter((word) => text.includes(word)).length / words.length;
}

/** A number from 0 to 1 that depends on a text alone. */
function unitOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
