/** Builds the stock adapter of a name. */

import type { StockProviderName } from '../../contract/providers';
import type { PhotoIndex } from '../library/photo-index';
import type { StockProvider } from '../stock-provider';
import type { ProviderSettings } from './core';
import { createPhotoProvider } from './library';
import { createOpenverse } from './openverse';
import { createPexels } from './pexels';
import { createPixabay } from './pixabay';
import { createSandbox } from './sandbox';
import { createUnsplash } from './unsplash';
import { createWikimedia } from './wikimedia';

const noPhotos = () => Promise.reject(new Error('The photographs of the operator are not read here.'));

const creators: Readonly<Record<StockProviderName, (settings: ProviderSettings) => StockProvider>> = {
  openverse: createOpenverse,
  wikimedia: createWikimedia,
  unsplash: createUnsplash,
  pexels: createPexels,
  pixabay: createPixabay,
  sandbox: createSandbox,
  library: ({ readPhotoIndex = noPhotos }) => createPhotoProvider(readPhotoIndex),
};

/** The adapter of one provider, with its settings. */
export function createProvider(name: StockProviderName, settings: ProviderSettings): StockProvider {
  return creators[name](settings);
}

/** What is configured for all adapters of a function. */
export interface ProvidersSettings extends Pick<ProviderSettings, 'contact' | 'clock'> {
  /** The key of a name; `undefined` when the operator has set none. @throws when the secret cannot be read */
  readonly readKey: (name: string) => Promise<string | undefined>;
  /** Base URLs that replace a provider's own. */
  readonly endpoints: Readonly<Partial<Record<StockProviderName, string>>>;
  /** Limits that replace a provider's documented ones; only functions that count calls need them. */
  readonly quotas?: Readonly<Partial<Record<StockProviderName, NonNullable<ProviderSettings['quota']>>>>;
  /** Reads the operator's photographs; absent for what never searches them. */
  readonly readPhotoIndex?: () => Promise<PhotoIndex>;
}

/** Builds adapters by name from a function's configuration. */
export function createProviders(configured: ProvidersSettings): (name: StockProviderName) => StockProvider {
  const { readKey, contact, clock, endpoints, quotas = {}, readPhotoIndex } = configured;
  return (name) => {
    const baseUrl = endpoints[name]?.replace(/(?<!\/)\/+$/, '');
    const quota = quotas[name];
    return createProvider(name, {
      key: async () => (await readKey(name)) ?? '',
      contact,
      clock,
      ...(readPhotoIndex && { readPhotoIndex }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(quota === undefined ? {} : { quota }),
    });
  };
}
