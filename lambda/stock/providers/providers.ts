/** The adapters of all stock providers. */

import type { StockProviderName } from '../../contract/providers';
import type { StockProvider } from '../stock-provider';
import { createAdapter, type ProviderSettings } from './adapter';
import { createPhotoProvider } from './library';
import { createOpenverseApi } from './openverse';
import { pexels } from './pexels';
import { pixabay } from './pixabay';
import { createSandbox } from './sandbox';
import { unsplash } from './unsplash';
import { wikimedia } from './wikimedia';

const apis = { wikimedia, unsplash, pexels, pixabay } as const;

/** Makes the adapter of a provider. */
export function createProvider(name: StockProviderName, settings: ProviderSettings): StockProvider {
  if (name === 'sandbox') return createSandbox();
  if (name === 'library') return createPhotoProvider(settings);
  return createAdapter(name === 'openverse' ? createOpenverseApi(settings) : apis[name], settings);
}
