/** The order in which candidates answer a seed: best first, the n-th best, or a weighted draw that a new candidate does not reshuffle. */

import { createHash } from 'node:crypto';
import { rankSeedMax } from '../contract/request-bounds';
import { isAvoided, type Scored, scoreOf, type Wish } from './score';

/**
 * Candidates in the order in which they should be tried for a seed; the same input always gives the same order.
 * No seed and `1`: the best first. `2` to `rankSeedMax`: the n-th best first, then the others. Any other text: drawn with
 * chances that grow with the score, each candidate by its own hash. Whatever the seed, what shows what is to be avoided
 * comes last, and ranks start over after the others: the candidate that comes first then says how many these are.
 */
export function inOrder<T extends Scored>(
  candidates: readonly T[],
  wish: Wish,
  seed: string,
): readonly (T & { readonly seedsStartOverAfter?: number })[] {
  const keyOf = rankOfSeed(seed) === undefined ? drawnBy(seed) : byScore;
  const keyed = candidates.map((candidate) => {
    const isLast = isAvoided(candidate, wish.avoid);
    const score = scoreOf(candidate, wish);
    return { candidate, isLast, key: keyOf(candidate, score), tie: hashOf('', candidate.id) };
  });
  const ordered = keyed
    .sort((a, b) => Number(a.isLast) - Number(b.isLast) || b.key - a.key || (a.tie < b.tie ? -1 : 1))
    .map(({ candidate }) => candidate);
  const fitting = keyed.filter(({ isLast }) => !isLast).length;
  const among = fitting > 0 ? fitting : ordered.length;
  const index = (rankOfSeed(seed) ?? 1) - 1;
  const at = index % among;
  const first = ordered.slice(at, at + 1);
  return [
    ...(index < among ? first : first.map((each) => ({ ...each, seedsStartOverAfter: among }))),
    ...ordered.slice(0, at),
    ...ordered.slice(at + 1),
  ];
}

/** The n of a seed that means "the n-th best"; `undefined` for a seed that is drawn by. */
export function rankOfSeed(seed: string): number | undefined {
  if (seed === '') return 1;
  if (!/^[1-9]\d?$/.test(seed)) return undefined;
  return Number(seed) <= rankSeedMax ? Number(seed) : undefined;
}

const byScore = (_: Scored, score: number): number => score;

/** How much more often a better score is drawn. */
const sharpness = 2;

/** u^(1/e^score) in logarithms, so that nothing is rounded to 1. */
function drawnBy(seed: string): (candidate: Scored, score: number) => number {
  return ({ id }, score) => Math.log(chanceOf(seed, id)) / Math.exp(sharpness * score);
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
