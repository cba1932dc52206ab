/** Builds the stock adapters by their names. */

import type { StockProviderName } from '../../contract/providers';
import type { StockProvider } from '../stock-provider';
import { createAdapter, type ProviderSettings } from './adapter';
import { createPhotoProvider } from './library';
import { openverse } from './openverse';
import { pexels } from './pexels';
import { pixabay } from './pixabay';
import { createSandbox } from './sandbox';
import { unsplash } from './unsplash';
import { wikimedia } from './wikimedia';

const apis = { wikimedia, unsplash, pexels, pixabay } as const;

/** Makes the adapter of one provider, with the settings of its function. */
export function createProvider(name: StockProviderName, settings: ProviderSettings): StockProvider {
  if (name === 'sandbox') return createSandbox();
  if (name === 'library') return createPhotoProvider(settings);
  return createAdapter(name === 'openverse' ? openverse(settings) : apis[name], settings);
}
