/** What the searches of an engine that requires all words have found together: strict ones first, broader ones after them. */

import type { Candidate } from '../../../images/image';
import { candidatesMax } from '../provider-settings';

/** Candidates, and the share of the subject that one of them has to cover, so that no broader search is needed. */
const candidatesWanted = 5;
const coverageWanted = 0.5;

/** Whether there is enough to choose from. */
export function isEnough(candidates: readonly Candidate[]): boolean {
  const isCovered = ({ description }: Candidate) => (description.match?.coverage ?? 0) >= coverageWanted;
  return candidates.length >= candidatesWanted && candidates.some(isCovered);
}

/** The candidates of two answers, each once, with its best place in either. */
export function merged<T extends Candidate>(one: readonly T[], other: readonly T[]): readonly T[] {
  const byId = new Map(one.map((candidate) => [candidate.id, candidate]));
  for (const candidate of other) {
    const earlier = byId.get(candidate.id);
    if (!earlier || earlier.description.rank > candidate.description.rank) byId.set(candidate.id, candidate);
  }
  return [...byId.values()];
}

/** Those that match best, as many as are kept, in the order of their match. */
export function best<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  const scoreOf = ({ description: { match, rank } }: T) =>
    (match?.score ?? 0) + rankWeight / Math.log2(rank + 1);
  return [...candidates].sort((a, b) => scoreOf(b) - scoreOf(a)).slice(0, candidatesMax);
}

/** What a place in the provider's own order is worth beside the match. */
const rankWeight = 0.25;
