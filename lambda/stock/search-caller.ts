/** The caller of a search: whose share of the providers' budgets it uses, and whether it may search at all. */

import type { ChargeRefusal, Refusal } from '../problems/problem';
import type { Ledger } from '../quota/ledger';
import type { RequestContext } from '../quota/request-context';
import type { BudgetShare } from './budget';
import { ownerOfUse } from './uses';

/** Who searches, and what that costs. */
export interface SearchCaller {
  readonly share: BudgetShare;
  /** Its account, or `anonymous`, for which a use is reported once a day. */
  readonly owner: string;
  /**
   * Charges the search to its caller, at the first call only.
   * @returns the refusal when the searches of the hour are used up
   * @throws when the counter cannot be reached
   */
  chargeSearch(): Promise<ChargeRefusal | undefined>;
  /**
   * Decides whether an image is shown, before its rendition is made; absent where every image may be.
   * @param pick public id of the image
   * @throws `NotClaimed` when it may not, which ends the search
   */
  claim?(pick: string): Promise<void>;
}

/** An image that a search has selected and that its caller does not show. */
export class NotClaimed extends Error {
  override readonly name = 'NotClaimed';
  /** @param refusal why; absent for an image that another slot shows */
  constructor(readonly refusal?: Refusal) {
    super('The image is not shown');
  }
}

/** By the name, not the class: each lazily loaded bundle has a copy of the class. */
export function isNotClaimed(error: unknown): error is NotClaimed {
  return error instanceof Error && error.name === 'NotClaimed';
}

/** A request that is paid already searches without a charge. */
export function createSearchCaller(
  ledger: Pick<Ledger, 'take'>,
  {
    searches,
    requestId,
    quota,
    payment,
  }: Pick<RequestContext, 'searches' | 'requestId' | 'quota' | 'payment'>,
): SearchCaller {
  let charging: Promise<ChargeRefusal | undefined> | undefined;
  const charge = async () => {
    if (payment) return undefined;
    const charged = await ledger.take(searches, requestId);
    return charged.outcome === 'refused' ? charged.refusal : undefined;
  };
  return {
    share: quota.counter.kind === 'account' ? 'keyed' : 'anonymous',
    owner: ownerOfUse({ quota }),
    chargeSearch: () => {
      charging ??= charge();
      return charging;
    },
  };
}
