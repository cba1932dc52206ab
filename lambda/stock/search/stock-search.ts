/** A search for a stock image: its request, and what it has taken, sent and failed to get until now. */

import { computeSecondsUntil } from '../../base/window';
import { requestsPerSearchMax } from '../../contract/providers';
import type { AccountId } from '../../credentials/caller';
import type { BatchMember } from '../../images/batch-member';
import { type Refusal, serviceUnavailable } from '../../problems/problem';
import { type LimitServices, renderForWork, takeWork, type WorkContext } from '../../quota/take';
import type { StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { RequestBudget } from '../ask-provider';
import type { Subject } from '../subject';

export interface SearchContext extends WorkContext {
  readonly format: RenditionFormat;
  /** Absent for callers without a key. */
  readonly account?: AccountId;
  /** The batch member that shows the image; absent outside batches. */
  readonly batchMember?: BatchMember | undefined;
  /** False if the image was paid before this request. */
  readonly searchTakesUnit: boolean;
  /** False if a rendition for the same request has taken a unit in the last day. */
  readonly renditionTakesUnit: boolean;
}

/** A failed step of a search. A later request might find an image. */
export interface SearchFailure {
  readonly isOutage?: boolean;
  /** Moment from which the provider may be asked again; absent if unknown. */
  readonly retryMs?: number | undefined;
}

export type StockSearch = ReturnType<typeof createStockSearch>;

export type WordSearch = StockSearch & { readonly subject: Subject };

/** Creates the search of a request. All its searches take one unit of work, and all its renditions another. */
export function createStockSearch(request: StockRequest, context: SearchContext) {
  const { account, requestId } = context;
  const failures: SearchFailure[] = [];
  let [tookSearchUnit, tookRenditionUnit] = [false, false];
  let requestsLeft = requestsPerSearchMax;
  let hasSentRequest = false;
  return {
    request,
    context,
    /** Takes the unit of the searches unless it was taken. Returns the refusal if no unit is left. */
    async takeSearchUnit(services: LimitServices): Promise<Refusal | undefined> {
      if (tookSearchUnit || !context.searchTakesUnit) return undefined;
      const refusal = await takeWork(services, context);
      tookSearchUnit = refusal === undefined;
      return refusal;
    },
    /**
     * Renders a file. If the file is new, takes the unit of the renditions unless it was taken.
     * @param isSubstitute true if the image replaces the one whose rendition has taken a unit before
     */
    async renderForUnit<R extends { readonly outcome: string; readonly isNew?: boolean }>(
      services: LimitServices,
      render: () => Promise<R>,
      isSubstitute = false,
    ) {
      if (tookRenditionUnit || !(context.renditionTakesUnit || isSubstitute)) return render();
      const rendition = await renderForWork(services, context, render);
      // The unit of a file that was stored already is given back.
      tookRenditionUnit =
        rendition.outcome !== 'stored' || ('isNew' in rendition && rendition.isNew === true);
      return rendition;
    },
    /** Makes the budget of the next step from the provider requests that are left. */
    makeBudget(): RequestBudget {
      return { share: account ?? 'anonymous', requestId, requestsMax: requestsLeft };
    },
    /**
     * Notes requests that were sent to a provider. Those of a failed search are not taken from the budget, because
     * a failing first slot must not leave the next slot without a request.
     */
    noteRequests(requests: number, isFailedSearch = false): void {
      hasSentRequest ||= requests > 0;
      if (!isFailedSearch) requestsLeft = Math.max(0, requestsLeft - requests);
    },
    hasSentRequest: () => hasSentRequest,
    noteFailure(failure: SearchFailure): void {
      failures.push(failure);
    },
    /** Makes the refusal for the worst failure, or `no_image_found` if no step has failed. */
    makeRefusal(nowMs: number): Refusal {
      if (failures.length === 0) return { code: 'no_image_found' };
      if (failures.some(({ isOutage }) => isOutage)) return serviceUnavailable;
      const retryMs = Math.min(...failures.map((failure) => failure.retryMs ?? Infinity));
      const retry = retryMs !== Infinity && { retryAfterS: computeSecondsUntil(retryMs, nowMs) };
      return { code: 'upstream_unavailable', ...retry };
    },
  };
}
