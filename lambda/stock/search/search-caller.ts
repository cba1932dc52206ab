/** The caller of a search: its part of the providers' budgets, and the limits of its work. */

import type { Limit } from '../../quota/limit';
import type { ServingContext } from '../../quota/pay';
import type { BudgetShare } from '../provider-budget';

/** The images that a page shows, none twice. */
export interface PageReservations {
  /** Reserves an image before it is rendered; false where another slot of the page shows it. */
  reserve(pick: string): Promise<boolean>;
}

/** A caller, as its search is counted. */
export interface SearchCaller {
  readonly budgetShare: Exclude<BudgetShare, 'upkeep'>;
  /** Its account, or `anonymous`: uses are reported once a day for each. */
  readonly owner: string;
  readonly requestId: string;
  readonly workLimits: readonly Limit[];
  /** Whether the image is paid already: then its search is not counted. */
  readonly isPaid: boolean;
  /** Absent for an image by itself. */
  readonly page?: PageReservations | undefined;
  /** Whether a rendition was counted for this very request in the last day: then none is counted again. */
  readonly isRenditionCounted: boolean;
}

/** The caller of a request. @param isRenditionCounted as in `SearchCaller` */
export function searchCallerOf(
  { workLimits, requestId, account, earlierPayment }: ServingContext,
  isRenditionCounted: boolean,
  page: PageReservations | undefined,
): SearchCaller {
  return {
    budgetShare: account === undefined ? 'anonymous' : { account },
    owner: account ?? 'anonymous',
    requestId,
    workLimits,
    isPaid: earlierPayment !== undefined,
    page,
    isRenditionCounted,
  };
}
