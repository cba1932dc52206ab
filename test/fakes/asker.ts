/** A caller with a key, whose searches are not counted. */

import type { Asker } from '../../lambda/stock/ask-provider';

export const anAsker: Asker = { use: 'keyed', admit: async () => undefined };
