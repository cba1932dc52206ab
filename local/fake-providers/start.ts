/** Starts local fake providers of stock providers, so that everything can be tried without a key and without the internet. */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { FakeProvider } from './fake-provider';
import { openverseFakeProvider } from './openverse';
import { pexelsFakeProvider } from './pexels';
import { pixabayFakeProvider } from './pixabay';
import { type ServedFakeProvider, serveFakeProvider } from './serve';
import { unsplashFakeProvider } from './unsplash';
import { wikimediaFakeProvider } from './wikimedia';

/** A provider without an entry cannot be tried with `--fake-providers`. */
const fakeProviders = {
  openverse: openverseFakeProvider,
  wikimedia: wikimediaFakeProvider,
  unsplash: unsplashFakeProvider,
  pexels: pexelsFakeProvider,
  pixabay: pixabayFakeProvider,
} satisfies Readonly<Partial<Record<StockProviderName, FakeProvider>>>;

export type FakeProviderName = keyof typeof fakeProviders;

export function hasFakeProvider(name: StockProviderName): name is FakeProviderName {
  return Object.hasOwn(fakeProviders, name);
}

export interface StartedFakeProviders {
  /** Base URL by provider. `GET {base URL}/_asked` lists what that fake provider was asked. */
  readonly endpoints: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * @param firstPort fixed ports from this one on, in the order of the names, so that URLs which were cached live
 * through a restart; any free ports by default
 */
export async function startFakeProviders(
  names: readonly FakeProviderName[],
  firstPort?: number,
): Promise<StartedFakeProviders> {
  const served: [FakeProviderName, ServedFakeProvider][] = [];
  const stop = async () => {
    await Promise.all(served.map(([, fakeProvider]) => fakeProvider.stop()));
  };
  try {
    for (const [index, name] of names.entries()) {
      const port = firstPort === undefined ? 0 : firstPort + index;
      served.push([name, await serveFakeProvider(fakeProviders[name], port)]);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoints: Object.fromEntries(served.map(([name, { endpoint }]) => [name, endpoint])), stop };
}
