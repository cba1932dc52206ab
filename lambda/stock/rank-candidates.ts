/** Orders the candidates whose licence a request allows, the one to be served first. */

import type { Clock } from '../base/clock';
import { withTimeout } from '../base/deadline';
import type { Telemetry } from '../base/telemetry';
import type { LicenseCondition } from '../contract/request-bounds';
import { rerankerTimeoutMs } from '../contract/timeouts';
import { isAttributionFree, isPublicDomain } from '../images/credit';
import { type Candidate, orientationOf } from '../images/image';
import type { License } from '../images/record';
import { inOrder } from './order';
import type { ProviderSearch } from './provider-request';
import type { Wish } from './score';

export interface RankCandidatesDeps {
  /** The rules alone order the candidates by default. */
  readonly reranker?: Reranker;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Candidates under another licence than the request allows are left out. Never throws. */
export async function rankCandidates(
  deps: RankCandidatesDeps,
  { provider, request, subject }: Pick<ProviderSearch, 'provider' | 'request' | 'subject'>,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const { query, seed, filters } = request;
  const allowed = candidates.filter(({ attribution }) => satisfies(attribution.license, filters.license));
  const wish: Wish = {
    subject,
    orientation: orientationOf(request),
    avoid: [...new Set([...(filters.avoid ?? []), ...subject.avoid])],
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

export interface Reranker {
  /**
   * What to add to the score of each candidate, by its id; candidates that are left out keep their score. A whole query
   * covered counts 3, so that is the scale.
   * @throws when there is no answer; the rules alone decide then.
   */
  rerank(
    query: string,
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>>;
}
