/** Where the local service reaches stock providers: at a configured URL, at a local fake provider, else at their own URLs. */

import { variables } from '../../lambda/contract/environment';
import { readConfig } from '../../lambda/functions/config';
import { type ProviderEndpoints, providerEndpointsSetting } from '../../lambda/functions/stock-settings';
import { type FakeProviderName, startFakeProviders } from './fake-providers/start';
import type { LocalOptions } from './options';

export interface ReachedProviders {
  /** URLs that replace the providers' own. */
  readonly endpoints: ProviderEndpoints;
  /** Those of them that are fake providers of this service, when it is configured to start some. */
  readonly fakeProviders?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * @param environment may name URLs of its own in `PROVIDER_ENDPOINTS`, for which no fake provider is started
 * @throws `ConfigurationError`
 */
export async function reachProviders(
  { hasFakeProviders, bindings }: Pick<LocalOptions, 'hasFakeProviders' | 'bindings'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReachedProviders> {
  const setting = { [variables.providerEndpoints]: providerEndpointsSetting };
  const { PROVIDER_ENDPOINTS: named } = readConfig(environment, setting);
  if (!hasFakeProviders) return { endpoints: named, stop: () => Promise.resolve() };
  const wanted = [...new Set(Object.values(bindings))].filter(
    (name): name is FakeProviderName => name !== 'sandbox' && named[name] === undefined,
  );
  const { endpoints: fakeProviders, stop } = await startFakeProviders(wanted);
  return { endpoints: { ...named, ...fakeProviders }, fakeProviders, stop };
}
