/** Starts fake providers, with which everything can be tried without API keys and without the internet. */

import type { StockProviderName } from '../../lambda/contract/providers';
import type { Listening } from '../http';
import { serveFakeProvider } from './fake-provider';
import { fakeProviders } from './fake-providers';

export type FakeProviderName = keyof typeof fakeProviders;

/** Checks that a provider can be tried without the internet. */
export function hasFakeProvider(name: StockProviderName): name is FakeProviderName {
  return Object.hasOwn(fakeProviders, name);
}

interface StartedFakeProviders {
  /** Base URL by provider. `GET {base URL}/_requests` lists the requests to that fake provider. */
  readonly endpoints: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts fake providers, at the ports of earlier base URLs where those are free. */
export async function startFakeProviders(
  names: readonly FakeProviderName[],
  before: StartedFakeProviders['endpoints'] = {},
): Promise<StartedFakeProviders> {
  const served = new Map<string, Listening>();
  for (const name of names)
    served.set(name, await serveFakeProvider(name, fakeProviders[name], before[name]));
  return {
    endpoints: Object.fromEntries([...served].map(([name, { url }]) => [name, url])),
    stop: async () => void (await Promise.all([...served.values()].map(({ stop }) => stop()))),
  };
}
