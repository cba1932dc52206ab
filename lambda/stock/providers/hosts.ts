/** The hosts whose image servers crop, which browsers may be sent to; apart from the adapters, which a known image does not load. */

import type { StockProviderName } from '../../contract/providers';
import { isLoopbackHost } from '../../images/allowed-url';

const hosts: Readonly<Partial<Record<StockProviderName, readonly string[]>>> = {
  unsplash: ['images.unsplash.com'],
  pexels: ['images.pexels.com'],
};

/** The hosts on which a provider crops its images; none for one that does not. @param endpoints base URLs that replace providers' own */
export function cropHosts(
  provider: StockProviderName,
  endpoints: Readonly<Partial<Record<StockProviderName, string>>>,
): readonly string[] {
  const own = hosts[provider] ?? [];
  const endpoint = endpoints[provider];
  return endpoint === undefined || own.length === 0 ? own : hostsFor(endpoint, own);
}

/** The hosts that a provider may name: its own, or those of the fake provider that stands in for it on this machine. */
export function hostsFor(baseUrl: string, own: readonly string[]): readonly string[] {
  const { host, hostname } = new URL(baseUrl);
  return isLoopbackHost(hostname) ? [host] : own;
}
