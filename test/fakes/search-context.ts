/** The context of a caller with a key, whose searches are not counted. */

import { hourWindow } from '../../lambda/base/window';
import { freePayment } from '../../lambda/quota/payment';
import type { SearchContext } from '../../lambda/stock/search/search-progress';
import { accountId } from './branded';

export const aSearchContext: SearchContext = {
  account: accountId('acc_1'),
  requestId: 'request-1',
  workLimits: [],
  settledPayment: freePayment('test-value', { limit: 1, remaining: 1, window: hourWindow(0) }),
  format: 'webp',
  isRenditionCounted: true,
};
