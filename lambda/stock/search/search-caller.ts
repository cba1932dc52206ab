/** The caller of a search: its share of the providers' budgets, and the work that is counted for it. */

import type { Limit } from '../../quota/limit';
import type { ServingContext } from '../../quota/pay';
import type { BudgetShare } from '../provider-budget';

/** A page that shows several images, none twice. */
export interface Page {
  /** Reserves an image before it is rendered; false where another place of the page shows it. */
  reserve(pick: string): Promise<boolean>;
}

/** Who searches, and what the search counts for. */
export interface SearchCaller {
  readonly budgetShare: Exclude<BudgetShare, 'upkeep'>;
  /** Its account, or `anonymous`: uses are reported once a day for each. */
  readonly owner: string;
  readonly requestId: string;
  readonly workLimits: readonly Limit[];
  /** Whether the image is paid already: then its search is not counted. */
  readonly isPaid: boolean;
  /** Absent for an image by itself. */
  readonly page?: Page | undefined;
  /** Whether the image was made for this very request before: then no rendition is counted. */
  readonly isMade: boolean;
}

/** The caller of a request. @param isMade as in `SearchCaller` */
export function searchCallerOf(
  { workLimits, requestId, account, earlierPayment }: ServingContext,
  isMade: boolean,
  page: Page | undefined,
): SearchCaller {
  return {
    budgetShare: account === undefined ? 'anonymous' : { account },
    owner: account ?? 'anonymous',
    requestId,
    workLimits,
    isPaid: earlierPayment !== undefined,
    page,
    isMade,
  };
}
