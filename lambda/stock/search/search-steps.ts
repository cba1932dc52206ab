/** Computes from the steps of a search what the next one may send, and why no image is found. */

import { secondsUntil } from '../../base/window';
import { requestsPerSearchMax } from '../../contract/providers';
import { type Refusal, serviceUnavailable } from '../../problems/problem';
import type { RequestBudget } from '../ask-provider';
import type { SearchContext, SearchStep } from './search-types';

/** Whether a step of a kind was counted: one unit is for all slots, and one for all images that are tried. */
export function isCounted(steps: readonly SearchStep[], kind: SearchStep['kind']): boolean {
  return steps.some((step) => step.kind === kind && step.isCounted);
}

/**
 * Computes the provider requests that are left for the next step. Those of a failed search do not count, so
 * that a failing first slot does not leave the next one without a request.
 */
export function computeBudget(
  { account, requestId }: SearchContext,
  steps: readonly SearchStep[],
): RequestBudget {
  const counted = steps.filter(({ kind, failure }) => kind === 'delivery' || !failure);
  const sent = counted.reduce((sum, { requests }) => sum + requests, 0);
  return { share: account ?? 'anonymous', requestId, requestsMax: Math.max(0, requestsPerSearchMax - sent) };
}

/** Names the cache status of an image: `HIT` where no provider was asked for it. */
export function nameCacheStatus(steps: readonly SearchStep[]): 'HIT' | 'MISS' {
  return steps.some(({ requests }) => requests > 0) ? 'MISS' : 'HIT';
}

/** Makes the refusal of a search without an image: for the worst failure, or as no provider has one. */
export function refuseWithoutImage(steps: readonly SearchStep[], nowMs: number): Refusal {
  const failures = steps.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 0) return { code: 'no_image_found' };
  if (failures.some(({ isOutage }) => isOutage)) return serviceUnavailable;
  const retryMs = Math.min(...failures.map((failure) => failure.retryMs ?? Infinity));
  const retry = retryMs !== Infinity && { retryAfterS: secondsUntil(retryMs, nowMs) };
  return { code: 'upstream_unavailable', ...retry };
}
