/** Orders the candidates whose licence a request allows, the one to be served first. */

import { withTimeout } from '../../async/deadline';
import type { LicenseCondition } from '../../contract/request-bounds';
import { rerankerTimeoutMs } from '../../contract/timeouts';
import { isAttributionFree, isPublicDomain } from '../../domain/image/credit';
import { type Candidate, type License, orientationOf } from '../../domain/image/image';
import { inOrder } from '../../domain/selection/order';
import type { Wish } from '../../domain/selection/score';
import type { Clock } from '../../ports/clock';
import type { Reranker } from '../../ports/reranker';
import type { Telemetry } from '../../ports/telemetry';
import type { Lookup } from './ask-provider';

export interface RankCandidatesDeps {
  /** The rules alone order the candidates by default. */
  readonly reranker?: Reranker;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Candidates under another licence than the request allows are left out. Never throws. */
export async function rankCandidates(
  deps: RankCandidatesDeps,
  { provider, request }: Lookup,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const { query, seed, filters } = request;
  const allowed = candidates.filter(({ attribution }) => satisfies(attribution.license, filters.license));
  const wish: Wish = {
    query,
    orientation: orientationOf(request),
    avoid: filters.avoid ?? [],
    ...(filters.color !== undefined && { color: filters.color }),
    isRankedByRelevance: provider.capability.ranksByRelevance,
  };
  return inOrder(allowed, wish, seed, await addedTo(deps, query, allowed));
}

/** What the reranker adds to each score; nothing without one, and nothing when it fails. */
async function addedTo(
  { reranker, clock, telemetry }: RankCandidatesDeps,
  query: string,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, number>> {
  if (!reranker || candidates.length === 0) return new Map();
  try {
    return await withTimeout(clock, rerankerTimeoutMs, (signal) =>
      reranker.rerank(query, candidates, signal),
    );
  } catch (error) {
    telemetry.error('The reranker did not answer', error);
    return new Map();
  }
}

/** Whether a licence meets a condition; without one every licence does. */
function satisfies(license: License, condition: LicenseCondition | undefined): boolean {
  switch (condition) {
    case undefined:
      return true;
    case 'public-domain':
      return isPublicDomain(license);
    case 'attribution-free':
      return isAttributionFree(license);
  }
}
