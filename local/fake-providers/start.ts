/** Starts local fake providers of stock providers, so that everything can be tried without a key and without the internet. */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { Listening } from '../http';
import { type FakeProvider, serveFakeProvider } from './fake-provider';
import { openverseFakeProvider } from './openverse';
import { pexelsFakeProvider } from './pexels';
import { pixabayFakeProvider } from './pixabay';
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

/** A provider that has a fake one. */
export type FakeProviderName = keyof typeof fakeProviders;

/** Whether a provider can be tried without the internet. */
export function hasFakeProvider(name: StockProviderName): name is FakeProviderName {
  return Object.hasOwn(fakeProviders, name);
}

/** The running fake providers. */
export interface StartedFakeProviders {
  /** Base URL by provider. `GET {base URL}/_requests` lists the requests to that fake provider. */
  readonly endpoints: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** @param before base URL by provider where each is started again if it can be; on a free port otherwise */
export async function startFakeProviders(
  names: readonly FakeProviderName[],
  before: StartedFakeProviders['endpoints'] = {},
): Promise<StartedFakeProviders> {
  const served = new Map<string, Listening>();
  for (const name of names) served.set(name, await serveFakeProvider(fakeProviders[name], before[name]));
  return {
    endpoints: Object.fromEntries([...served].map(([name, { url }]) => [name, url])),
    stop: async () => void (await Promise.all([...served.values()].map(({ stop }) => stop()))),
  };
}
