/** Finds the addresses of stock providers: configured ones, those of fake providers, or their own. */

import {
  keyedProviders,
  nameKeyVariable,
  registeringProviders,
  type SlotBindings,
} from '../lambda/contract/providers';
import { apiSettings, readConfig } from '../lambda/services/settings';
import { hasFakeProvider, startFakeProviders } from './fake-providers/start';

interface ReachedProviders {
  /** URLs in place of providers' own, by provider. */
  readonly endpoints: ReturnType<typeof apiSettings.PROVIDER_ENDPOINTS>;
  /** The started fake providers among them; absent without `--fake-providers`. */
  readonly fakeProviders?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts fake providers for the bound ones, with `--fake-providers`.
 * @param environment its `PROVIDER_ENDPOINTS` are used in place of fake providers
 * @param before URLs of the last start, which stored answers name; used again where they are free
 * @throws `ConfigurationError`
 */
export async function reachProviders(
  bindings: SlotBindings,
  hasFakeProviders: boolean | undefined,
  environment: Environment,
  before?: ReachedProviders['endpoints'],
): Promise<ReachedProviders> {
  const { PROVIDER_ENDPOINTS } = apiSettings;
  const { PROVIDER_ENDPOINTS: configured } = readConfig(environment, { PROVIDER_ENDPOINTS });
  if (!hasFakeProviders) return { endpoints: configured, stop: async () => undefined };
  const bound = [...new Set(Object.values(bindings))].filter(hasFakeProvider);
  const { endpoints: fakeProviders, stop } = await startFakeProviders(
    bound.filter((name) => configured[name] === undefined),
    before,
  );
  return { endpoints: { ...configured, ...fakeProviders }, fakeProviders, stop };
}

/** Makes the value of the provider secret, with made-up keys where fake providers take them. */
export function makeProviderKeys(environment: Environment, hasFakeProviders: boolean | undefined): string {
  const names = ['openai', ...keyedProviders, ...registeringProviders];
  const keyOf = (name: string) => environment[name === 'openai' ? 'OPENAI_API_KEY' : nameKeyVariable(name)];
  // Providers that take registered clients are served without a key as well.
  const fakeKeyOf = (name: string) =>
    hasFakeProviders && !registeringProviders.includes(name as never) ? `fake-${name}` : undefined;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, keyOf(name) || fakeKeyOf(name)])));
}
