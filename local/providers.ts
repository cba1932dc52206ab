/** Finds the addresses of stock providers: configured addresses, fake providers, or the real ones. */

import {
  keyedProviders,
  nameKeyVariable,
  registeringProviders,
  type SlotBindings,
} from '../lambda/contract/providers';
import { apiSettings, readConfig } from '../lambda/services/settings';
import { hasFakeProvider, startFakeProviders } from './fake-providers/fake-providers';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configured addresses. With `--fake-providers` it starts a fake provider for each other bound provider.
 * @param environment `PROVIDER_ENDPOINTS` has the configured addresses
 * @param earlierEndpoints URLs of the last start. They are used again if their ports are free, because stored answers
 *   contain them.
 * @throws `ConfigurationError`
 */
export async function reachProviders(
  bindings: SlotBindings,
  hasFakeProviders: boolean | undefined,
  environment: Environment,
  earlierEndpoints?: Readonly<Record<string, string>>,
) {
  const { PROVIDER_ENDPOINTS } = apiSettings;
  const { PROVIDER_ENDPOINTS: configuredEndpoints } = readConfig(environment, { PROVIDER_ENDPOINTS });
  if (!hasFakeProviders)
    return { endpoints: configuredEndpoints, fakeProviders: undefined, stop: async () => undefined };
  const boundNames = [...new Set(Object.values(bindings))].filter(hasFakeProvider);
  const names = boundNames.filter((name) => configuredEndpoints[name] === undefined);
  const { endpoints: fakeProviders, stop } = await startFakeProviders(names, earlierEndpoints);
  return { endpoints: { ...configuredEndpoints, ...fakeProviders }, fakeProviders, stop };
}

/** Creates the value of the provider secret. Fake providers get made-up keys. */
export function makeProviderKeys(environment: Environment, hasFakeProviders: boolean | undefined): string {
  const names = ['openai', ...keyedProviders, ...registeringProviders];
  const readKey = (name: string) => environment[name === 'openai' ? 'OPENAI_API_KEY' : nameKeyVariable(name)];
  // A provider of registered clients works without a key too.
  const makeFakeKey = (name: string) =>
    hasFakeProviders && !registeringProviders.includes(name as never) ? `fake-${name}` : undefined;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, readKey(name) || makeFakeKey(name)])));
}
