/** Where the local service reaches stock providers: at an address named beforehand, at a local twin, else at home. */

import { readConfig } from '../../lambda/config';
import { variables } from '../../lambda/contract';
import { type ProviderEndpoints, providerEndpointsSetting } from '../../lambda/stock-settings';
import type { LocalOptions } from './options';
import { startTwins, type TwinName } from './twins/start-twins';

export interface ReachedProviders {
  /** Addresses that replace the providers' own. */
  readonly endpoints: ProviderEndpoints;
  /** Those of them that are twins of this service, when it was told to start some. */
  readonly twins?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * @param environment may name addresses of its own in `PROVIDER_ENDPOINTS`, for which no twin is started
 * @throws `ConfigurationError`
 */
export async function reachProviders(
  { hasTwins, bindings }: Pick<LocalOptions, 'hasTwins' | 'bindings'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReachedProviders> {
  const setting = { [variables.providerEndpoints]: providerEndpointsSetting };
  const { PROVIDER_ENDPOINTS: named } = readConfig(environment, setting);
  if (!hasTwins) return { endpoints: named, stop: () => Promise.resolve() };
  const wanted = [...new Set(Object.values(bindings))].filter(
    (name): name is TwinName => name !== 'sandbox' && named[name] === undefined,
  );
  const { endpoints: twins, stop } = await startTwins(wanted);
  return { endpoints: { ...named, ...twins }, twins, stop };
}
