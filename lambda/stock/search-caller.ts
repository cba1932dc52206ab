/** The caller of a search: whose share of the providers' budgets it uses, and whether it may search at all. */

import type { Refusal } from '../problems/problem';
import type { Ledger } from '../quota/ledger';
import type { RequestContext } from '../quota/request-context';
import type { Asker } from './ask-provider';

/** Who searches, and what that costs. */
export interface SearchCaller {
  readonly asker: Exclude<Asker, 'upkeep'>;
  /** Its account, or `anonymous`, for which a use is reported once a day. */
  readonly owner: string;
  /** Id of the request. */
  readonly id: string;
  /**
   * Counts the search, at the first call only.
   * @returns the refusal when the searches of the hour are used up
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
  ledger: Pick<Ledger, 'take'>,
  {
    searches,
    requestId,
    quota,
    payment,
  }: Pick<RequestContext, 'searches' | 'requestId' | 'quota' | 'payment'>,
): SearchCaller {
  let taking: Promise<Refusal | undefined> | undefined;
  const take = async () => {
    if (payment) return undefined;
    const taken = await ledger.take(searches, requestId);
    return taken.outcome === 'refused' ? taken.refusal : undefined;
  };
  const owner = quota.counter.kind === 'account' ? quota.counter.account : 'anonymous';
  return {
    asker: quota.counter.kind === 'account' ? { account: owner } : 'anonymous',
    owner,
    id: requestId,
    takeSearch: () => {
      taking ??= take();
      return taking;
    },
  };
}
