/** Lists the hosts of redirects, apart from the adapters: a known image loads none of them. */

import type { StockProviderName } from '../../contract/providers';
import { isLoopbackHost } from '../../images/allowed-url';

/** The image hosts of the providers that crop: stored answers send browsers to no other host. */
export const cropHosts = {
  unsplash: ['images.unsplash.com'],
  pexels: ['images.pexels.com'],
} as const satisfies Readonly<Partial<Record<StockProviderName, readonly string[]>>>;

/** Lists the hosts of a provider that browsers may be sent to; none for one that does not crop. */
export function listRedirectHosts(
  provider: string,
  endpoints: Readonly<Partial<Record<StockProviderName, string>>>,
): readonly string[] {
  if (!Object.hasOwn(cropHosts, provider)) return [];
  const name = provider as keyof typeof cropHosts;
  const endpoint = endpoints[name];
  return endpoint === undefined ? cropHosts[name] : chooseHosts(endpoint, cropHosts[name]);
}

/** Lists the hosts that a provider may name: its own, or that of a fake provider on this machine. */
export function chooseHosts(baseUrl: string, hosts: readonly string[]): readonly string[] {
  const { host, hostname } = new URL(baseUrl);
  return isLoopbackHost(hostname) ? [host] : hosts;
}
