/** Orders the candidates for a request: by rank of a hash, so that one more candidate does not reshuffle the others. */

import { createHash } from 'node:crypto';

/** Candidates in the order in which they should be tried for a seed; the same seed gives the same order for ever. */
export function rankBySeed<T extends { readonly id: string }>(candidates: readonly T[], seed: string): T[] {
  return candidates
    .map((candidate) => ({ candidate, rank: rankOf(seed, candidate.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .map(({ candidate }) => candidate);
}

// The separator cannot stand in a JSON string unescaped, so no two pairs share an input.
function rankOf(seed: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([seed, id]))
    .digest('hex');
}
