/** A caller with a key, whose searches are not counted. */

import type { SearchCaller } from '../../lambda/stock/search-caller';

export const aSearchCaller: SearchCaller = {
  asker: { account: 'acc_1' },
  owner: 'acc_1',
  id: 'request-1',
  takeSearch: async () => undefined,
  takeRendition: async () => undefined,
  giveBackRendition: async () => undefined,
};
