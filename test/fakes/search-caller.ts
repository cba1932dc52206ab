/** A caller with a key, whose searches are not counted. */

import type { SearchCaller } from '../../lambda/stock/search/search-caller';

export const aSearchCaller: SearchCaller = {
  budgetShare: { account: 'acc_1' },
  owner: 'acc_1',
  requestId: 'request-1',
  workLimits: [],
  isPaid: true,
  isRenditionCounted: true,
};
