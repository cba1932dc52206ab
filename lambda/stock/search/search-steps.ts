/** Decides by the steps of a search what the next step may request, and how the search is refused. */

import { computeSecondsUntil } from '../../base/window';
import { requestsPerSearchMax } from '../../contract/providers';
import { type Refusal, serviceUnavailable } from '../../problems/problem';
import type { RequestBudget } from '../ask-provider';
import type { SearchStep, StockSearch } from './search-types';

/** Returns true if a step of a kind was counted. All searches take one unit, and all deliveries take one. */
export function isCounted({ steps }: StockSearch, kind: SearchStep['kind']): boolean {
  return steps.some((step) => step.kind === kind && step.isCounted);
}

/**
 * Computes the provider requests that are left for the next step. Requests of a failed search do not count,
 * because a failing first slot must not leave the next slot without a request.
 */
export function computeBudget({ context: { account, requestId }, steps }: StockSearch): RequestBudget {
  const countedSteps = steps.filter(({ kind, failure }) => kind === 'delivery' || !failure);
  const sentRequests = countedSteps.reduce((sum, { requests = 0 }) => sum + requests, 0);
  return {
    share: account ?? 'anonymous',
    requestId,
    requestsMax: Math.max(0, requestsPerSearchMax - sentRequests),
  };
}

/** Makes the refusal for the worst failure of a search, or `no_image_found` if no step failed. */
export function refuseWithoutImage({ steps }: StockSearch, nowMs: number): Refusal {
  const failures = steps.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return { code: 'no_image_found' };
  if (failures.some(({ isOutage }) => isOutage)) return serviceUnavailable;
  const retryMs = Math.min(...failures.map((failure) => failure.retryMs ?? Infinity));
  const retry = retryMs !== Infinity && { retryAfterS: computeSecondsUntil(retryMs, nowMs) };
  return { code: 'upstream_unavailable', ...retry };
}
