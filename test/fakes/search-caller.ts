/** A caller with a key, whose searches are not counted. */

import type { SearchCaller } from '../../lambda/stock/search-caller';

export const aSearchCaller: SearchCaller = {
  share: 'keyed',
  owner: 'acc_1',
  chargeSearch: async () => undefined,
};
