/** Starts fake providers, with which everything can be tried without API keys and without the internet. */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { Listening } from '../http';
import { type FakeProvider, serveFakeProvider } from './fake-provider';
import { openverseFakeProvider } from './openverse';
import { pexelsFakeProvider } from './pexels';
import { pixabayFakeProvider } from './pixabay';
import { unsplashFakeProvider } from './unsplash';
import { wikimediaFakeProvider } from './wikimedia';

/** The fake providers. A provider without one is not served by `--fake-providers`. */
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
interface StartedFakeProviders {
  /** Base URL by provider. `GET {base URL}/_requests` lists the requests to that fake provider. */
  readonly endpoints: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts fake providers. @param before earlier base URLs, whose ports are used again where they are free */
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
