/** The addresses of stock providers: configured ones, fake providers, or the real ones. */

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
 * With `--fake-providers`, starts a fake provider for each bound one.
 * @param environment a provider in its `PROVIDER_ENDPOINTS` needs no fake one
 * @param before URLs of the last start. They are used again if their ports are free, because stored answers
 *   contain them.
 * @throws `ConfigurationError`
 */
export async function reachProviders(
  bindings: SlotBindings,
  hasFakeProviders: boolean | undefined,
  environment: Environment,
  before?: Readonly<Record<string, string>>,
) {
  const { PROVIDER_ENDPOINTS } = apiSettings;
  const { PROVIDER_ENDPOINTS: configured } = readConfig(environment, { PROVIDER_ENDPOINTS });
  if (!hasFakeProviders)
    return { endpoints: configured, fakeProviders: undefined, stop: async () => undefined };
  const bound = [...new Set(Object.values(bindings))].filter(hasFakeProvider);
  const { endpoints: fakeProviders, stop } = await startFakeProviders(
    bound.filter((name) => configured[name] === undefined),
    before,
  );
  return { endpoints: { ...configured, ...fakeProviders }, fakeProviders, stop };
}

/** Creates the value of the provider secret. Fake providers get made-up keys. */
export function makeProviderKeys(environment: Environment, hasFakeProviders: boolean | undefined): string {
  const names = ['openai', ...keyedProviders, ...registeringProviders];
  const keyOf = (name: string) => environment[name === 'openai' ? 'OPENAI_API_KEY' : nameKeyVariable(name)];
  // A provider of registered clients works without a key too.
  const fakeKeyOf = (name: string) =>
    hasFakeProviders && !registeringProviders.includes(name as never) ? `fake-${name}` : undefined;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, keyOf(name) || fakeKeyOf(name)])));
}
