/** The caller of a search: its share of the providers' budgets, and the work that is counted for it. */

import type { Limit } from '../../quota/limit';
import type { ServingContext } from '../../quota/pay';
import type { Asker } from '../ask-provider';

/** A page that shows several images, none twice. */
export interface Page {
  /** Reserves an image before it is rendered; false where another place of the page shows it. */
  reserve(pick: string): Promise<boolean>;
}

/** Who searches, and what the search counts for. */
export interface SearchCaller {
  readonly asker: Exclude<Asker, 'upkeep'>;
  /** Its account, or `anonymous`: uses are reported once a day for each. */
  readonly owner: string;
  /** Id of the request. */
  readonly id: string;
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
  { workLimits, requestId: id, account, earlierPayment }: ServingContext,
  isMade: boolean,
  page: Page | undefined,
): SearchCaller {
  return {
    asker: account === undefined ? 'anonymous' : { account },
    owner: account ?? 'anonymous',
    id,
    workLimits,
    isPaid: earlierPayment !== undefined,
    page,
    isMade,
  };
}
