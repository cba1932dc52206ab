/** Builds the stock adapters by their names. */

import type { StockProviderName } from '../../contract/providers';
import type { StockProvider } from '../stock-provider';
import type { ProviderSettings } from './adapter';
import { createPhotoProvider } from './library';
import { createOpenverse } from './openverse';
import { createPexels } from './pexels';
import { createPixabay } from './pixabay';
import { createSandbox } from './sandbox';
import { createUnsplash } from './unsplash';
import { createWikimedia } from './wikimedia';

const creators: Readonly<Record<StockProviderName, (settings: ProviderSettings) => StockProvider>> = {
  openverse: createOpenverse,
  wikimedia: createWikimedia,
  unsplash: createUnsplash,
  pexels: createPexels,
  pixabay: createPixabay,
  sandbox: createSandbox,
  library: createPhotoProvider,
};

/** Makes the adapter of one provider, with the settings of its function. */
export function createProvider(name: StockProviderName, settings: ProviderSettings): StockProvider {
  return creators[name](settings);
}
