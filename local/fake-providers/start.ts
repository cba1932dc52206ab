/** Starts local fake providers of stock providers, so that everything can be tried without a key and without the internet. */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { Listening } from '../http';
import { type FakeProvider, serveFakeProvider } from './fake-provider';
import { fakeModel } from './model';
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

/** The running fake providers, and the fake model beside them. */
export interface StartedFakeProviders {
  /** Base URL by provider. `GET {base URL}/_requests` lists the requests to that fake provider. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** Base URL of the fake judge and rewriter, which lists its requests in the same way. */
  readonly modelUrl: string;
  stop(): Promise<void>;
}

/** @param before base URL by provider where each is started again if it can be; on a free port otherwise */
export async function startFakeProviders(
  names: readonly FakeProviderName[],
  before: StartedFakeProviders['endpoints'] = {},
): Promise<StartedFakeProviders> {
  const served = new Map<string, Listening>();
  for (const name of names) served.set(name, await serveFakeProvider(fakeProviders[name], before[name]));
  const model = await serveFakeProvider(fakeModel);
  return {
    modelUrl: model.url,
    endpoints: Object.fromEntries([...served].map(([name, { url }]) => [name, url])),
    stop: async () => {
      await Promise.all([model, ...served.values()].map(({ stop }) => stop()));
    },
  };
}
