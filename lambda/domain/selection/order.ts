/** The order in which candidates answer a seed: best first, the n-th best, or a weighted draw that a new candidate does not reshuffle. */

import { createHash } from 'node:crypto';
import { isAvoided, isNonPhoto, type Scored, scoreOf, type Wish } from './score';

/** Highest seed that means "the n-th best". */
const rankSeedMax = 20;

/**
 * Candidates in the order in which they should be tried for a seed; the same input gives the same order for ever.
 * No seed and `1`: by score. `2` to `20`: the n-th best first, then the others by score. Any other text: drawn with
 * chances that grow with the score, each candidate by its own hash. Whatever the seed, what is no photograph or shows
 * what is to be avoided comes after all others.
 */
export function inOrder<T extends Scored>(candidates: readonly T[], wish: Wish, seed: string): readonly T[] {
  const isLast = (each: T) => isNonPhoto(each, wish.query) || isAvoided(each, wish.avoid);
  const [first, last] = [candidates.filter((each) => !isLast(each)), candidates.filter(isLast)];
  return [...bySeed(first, wish, seed), ...bySeed(last, wish, seed)];
}

function bySeed<T extends Scored>(candidates: readonly T[], wish: Wish, seed: string): readonly T[] {
  const scored = candidates.map((candidate) => ({
    candidate,
    score: scoreOf(candidate, wish),
    chance: chanceOf(seed, candidate.id),
    tie: hashOf('', candidate.id),
  }));
  const nth = rankOfSeed(seed);
  if (nth === undefined) {
    // u^(1/e^score) in logarithms, so that nothing is rounded to 1.
    const drawn = scored.map((each) => ({ ...each, key: Math.log(each.chance) / Math.exp(each.score) }));
    return drawn.sort((a, b) => b.key - a.key || compare(a.tie, b.tie)).map(({ candidate }) => candidate);
  }
  const best = scored.sort((a, b) => b.score - a.score || compare(a.tie, b.tie));
  const ranked = best.map(({ candidate }) => candidate);
  const first = ranked.length === 0 ? 0 : (nth - 1) % ranked.length;
  return [...ranked.slice(first, first + 1), ...ranked.slice(0, first), ...ranked.slice(first + 1)];
}

/** The n of a seed that means "the n-th best"; `undefined` for a seed that is drawn by. */
export function rankOfSeed(seed: string): number | undefined {
  if (seed === '') return 1;
  if (!/^[1-9]\d?$/.test(seed)) return undefined;
  return Number(seed) <= rankSeedMax ? Number(seed) : undefined;
}

/** A number above 0 and below 1 that depends on nothing but its arguments. */
function chanceOf(seed: string, id: string): number {
  return (Number.parseInt(hashOf(seed, id).slice(0, 13), 16) + 0.5) / 2 ** 52;
}

function hashOf(seed: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([seed, id]))
    .digest('hex');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
