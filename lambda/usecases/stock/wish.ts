/** What a request asks of a provider, and what its candidates are compared with. */

import { withTimeout } from '../../async/deadline';
import { rerankerTimeoutMs } from '../../contract/timeouts';
import { type Candidate, orientationOf } from '../../domain/image/image';
import { identityOf, type StockRequest } from '../../domain/request/image-request';
import type { Wish } from '../../domain/selection/score';
import type { Clock } from '../../ports/clock';
import type { Reranker } from '../../ports/reranker';
import type { StockProvider, StockQuery } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';

export interface RerankDeps {
  /** The rules alone order the candidates by default. */
  readonly reranker?: Reranker;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What the candidates of a provider are compared with. */
export function wishOf({ capability }: StockProvider, request: StockRequest): Wish {
  const { avoid = [], color } = request.filters;
  return {
    query: request.query,
    orientation: orientationOf(request),
    avoid,
    ...(color !== undefined && { color }),
    isRankedByRelevance: capability.ranksByRelevance,
  };
}

/** The question to a provider: of the filters those that its search takes. */
export function queryOf({ capability: { searchFilters } }: StockProvider, request: StockRequest): StockQuery {
  const { color, license } = request.filters;
  return {
    words: identityOf(request.query),
    orientation: orientationOf(request),
    ...(color !== undefined && searchFilters.includes('color') && { color }),
    ...(license !== undefined && searchFilters.includes('license') && { license }),
  };
}

/** Candidates by their long side; those of unknown size come last. The order among equals stays. */
export function largestFirst(ordered: readonly Candidate[]): readonly Candidate[] {
  const longSide = ({ widthPx = 0, heightPx = 0 }: Candidate) => Math.max(widthPx, heightPx);
  return [...ordered].sort((a, b) => longSide(b) - longSide(a));
}

/** What the reranker adds to each score; nothing without one, and nothing when it fails. */
export async function reranked(
  { reranker, clock, telemetry }: RerankDeps,
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
