/** Orders what a provider offers, best first: what becomes the choice for some words. Pure. */

import { createHash } from 'node:crypto';
import { type LicenseCondition, rankSeedMax } from '../contract/request-bounds';
import { isAttributionFree, isPublicDomain } from '../images/credit';
import type { License } from '../images/record';
import { isAvoided, type Scored, scoreOf, type Wish } from './score';

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
