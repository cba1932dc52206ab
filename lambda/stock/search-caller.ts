/** The caller of a search: whose share of the providers' budgets it uses, and whether it may search at all. */

import type { Refusal } from '../problems/problem';
import { takeFor } from '../quota/charge';
import type { RequestContext } from '../quota/request-context';
import type { LimitServices } from '../quota/take';
import type { Asker } from './ask-provider';

/** Who searches, and what that costs. */
export interface SearchCaller {
  readonly asker: Exclude<Asker, 'upkeep'>;
  /** Its account, or `anonymous`, for which a use is reported once a day. */
  readonly owner: string;
  /** Id of the request. */
  readonly id: string;
  /**
   * Takes a unit of work for the search, at the first call only.
   * @returns the refusal when the work of the hour is used up
   * @throws when the counter cannot be reached
   */
  takeSearch(): Promise<Refusal | undefined>;
  /**
   * Decides whether an image is shown, before its rendition is made; absent where every image may be.
   * @param pick public id of the image
   */
  claim?(pick: string): Promise<boolean>;
}

/** A request that is paid already searches without being counted. */
export function searchCallerOf(
  services: LimitServices,
  {
    workLimits,
    requestId,
    account,
    payment,
  }: Pick<RequestContext, 'workLimits' | 'requestId' | 'account' | 'payment'>,
): SearchCaller {
  let taking: Promise<Refusal | undefined> | undefined;
  const take = async () => (payment ? undefined : takeFor(services, workLimits, requestId));
  return {
    asker: account === undefined ? 'anonymous' : { account },
    owner: account ?? 'anonymous',
    id: requestId,
    takeSearch: () => {
      taking ??= take();
      return taking;
    },
  };
}
