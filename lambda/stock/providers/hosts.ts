/** The hosts of redirects. They are not in the adapters, because a known image loads no adapter. */

import type { StockProviderName } from '../../contract/providers';
import { isLoopbackHost } from '../../images/allowed-url';

/** The image hosts of the providers that crop. Stored answers redirect to no other host. */
export const cropHosts = {
  unsplash: ['images.unsplash.com'],
  pexels: ['images.pexels.com'],
} as const satisfies Readonly<Partial<Record<StockProviderName, readonly string[]>>>;

/** Lists the hosts that a provider's redirects may name; none for a provider that does not crop. */
export function listRedirectHosts(
  provider: string,
  endpoints: Readonly<Partial<Record<StockProviderName, string>>>,
): readonly string[] {
  if (!Object.hasOwn(cropHosts, provider)) return [];
  const name = provider as keyof typeof cropHosts;
  const endpoint = endpoints[name];
  return endpoint === undefined ? cropHosts[name] : chooseHosts(endpoint, cropHosts[name]);
}

/** Returns the provider's own hosts, or the host of its fake provider if there is one on this machine. */
export function chooseHosts(baseUrl: string, hosts: readonly string[]): readonly string[] {
  const { host, hostname } = new URL(baseUrl);
  return isLoopbackHost(hostname) ? [host] : hosts;
}
