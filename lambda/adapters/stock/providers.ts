/** Builds the stock adapter of a name. */

import type { StockProviderName } from '../../contract';
import type { StockProvider } from '../../ports/stock-provider';
import { createOpenverse } from './openverse';
import { createPexels } from './pexels';
import { createPixabay } from './pixabay';
import type { ProviderSettings } from './provider-settings';
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
};

export function createProvider(name: StockProviderName, settings: ProviderSettings): StockProvider {
  return creators[name](settings);
}
