/** The caller of a search: whose share of the providers' budgets it uses, and whether it may search at all. */

import type { ChargeRefusal } from '../problems/problem';
import type { Ledger } from '../quota/ledger';
import type { RequestContext } from '../quota/request-context';
import type { UsageNote } from '../quota/usage/usage';
import type { BudgetShare } from './budget';

export interface SearchCaller {
  readonly share: BudgetShare;
  /**
   * Charges the search to its caller, at the first call only.
   * @returns the refusal when the searches of the hour are used up
   * @throws when the counter cannot be reached
   */
  chargeSearch(): Promise<ChargeRefusal | undefined>;
  /** Notes which image it will be, before that is stored. */
  readonly usage?: UsageNote;
}

export function createSearchCaller(
  ledger: Pick<Ledger, 'charge'>,
  {
    searches,
    requestId,
    payment,
    usage,
  }: Pick<RequestContext, 'searches' | 'requestId' | 'payment' | 'usage'>,
): SearchCaller {
  let charging: Promise<ChargeRefusal | undefined> | undefined;
  const charge = async () => {
    const charged = await ledger.charge({ quota: searches, requestId, ...(payment && { payment }) });
    return charged.outcome === 'refused' ? charged.refusal : undefined;
  };
  const { counter } = searches;
  const isAnonymous = counter.kind === 'fair-use' && counter.owner.startsWith('ip#');
  return {
    ...(usage && { usage }),
    share: isAnonymous ? 'anonymous' : 'keyed',
    chargeSearch: () => {
      charging ??= charge();
      return charging;
    },
  };
}
