/** A lookup: the steps from a request to its stock image. They share an allowance of work and provider requests. */

import { requestsPerSearchMax } from '../../contract/providers';
import type { AccountId } from '../../credentials/caller';
import type { BatchMember } from '../../images/batch-member';
import type { Refusal } from '../../problems/problem';
import { type LimitServices, renderForWork, takeWork, type WorkContext } from '../../quota/take';
import type { StockRequest } from '../../requests/image-request';
import type { RenditionFormat } from '../../requests/rendition';
import type { RequestBudget } from '../ask-provider';
import type { Subject } from '../subject';

export interface LookupContext extends WorkContext {
  readonly format: RenditionFormat;
  /** Absent for callers without a key. */
  readonly account?: AccountId;
  /** The batch member that shows the image; absent outside batches. */
  readonly batchMember?: BatchMember | undefined;
  /** False if the image was paid before this request. */
  readonly searchTakesUnit: boolean;
  /** The pick of the image that has answered the same request in the last day. Its rendition takes no unit again. */
  readonly recentPick?: string | undefined;
}

export interface StockLookup {
  readonly request: StockRequest;
  readonly context: LookupContext;
  readonly allowance: Allowance;
}

/** The lookup of an image for words. */
export interface WordLookup extends StockLookup {
  readonly subject: Subject;
}

/** A step that failed. A later request might find an image. */
export interface LookupFailure {
  readonly isOutage?: boolean;
  /** Moment from which the provider may be asked again; absent if unknown. */
  readonly retryAtMs?: number | undefined;
}

type Allowance = ReturnType<typeof createAllowance>;

/**
 * Creates the allowance of a lookup: a unit of work for all its searches, another one for all its renditions, and
 * `requestsPerSearchMax` provider requests. It counts what is taken.
 */
export function createAllowance(context: LookupContext) {
  const { account, requestId } = context;
  let [tookSearchUnit, tookRenditionUnit] = [false, false];
  let requestsLeft = requestsPerSearchMax;
  let hasSentRequest = false;
  return {
    /** Takes the unit of the searches unless it was taken. Returns the refusal if no unit is left. */
    async takeSearchUnit(services: LimitServices): Promise<Refusal | undefined> {
      if (tookSearchUnit || !context.searchTakesUnit) return undefined;
      const refusal = await takeWork(services, context);
      tookSearchUnit = refusal === undefined;
      return refusal;
    },
    /** Renders a file of the image of a pick. Takes the unit of the renditions unless it was taken. */
    async renderForUnit<R extends { readonly outcome: string; readonly isNew?: boolean }>(
      services: LimitServices,
      pick: string,
      render: () => Promise<R>,
    ) {
      if (tookRenditionUnit || pick === context.recentPick) return render();
      return renderForWork(services, context, async () => {
        const rendition = await render();
        // The unit of a file that was stored already is given back. Any other pays for later renditions too.
        tookRenditionUnit = rendition.outcome !== 'stored' || rendition.isNew === true;
        return rendition;
      });
    },
    /** Makes the budget of the next step from the provider requests that are left. */
    makeBudget(): RequestBudget {
      return { share: account ?? 'anonymous', requestId, requestsMax: requestsLeft };
    },
    /**
     * Counts requests that were sent to a provider. Those of a failed search are not taken from the allowance,
     * because a failing first slot must not leave the next slot without a request.
     */
    countRequests(requests: number, isFailedSearch = false): void {
      hasSentRequest ||= requests > 0;
      if (!isFailedSearch) requestsLeft = Math.max(0, requestsLeft - requests);
    },
    hasSentRequest: () => hasSentRequest,
  };
}
