/** Checks that a URL which the service redirects to or fetches is of a listed host, over https. */

import { parseUrl } from '../base/parse';

/** URL of an image at a provider that the service may redirect to or fetch, proved by `isAllowedUrl` only. */
export type ProviderUrl = string & { readonly brand: 'ProviderUrl' };

/** Host names and IP addresses of this machine, on which local fake providers listen. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name, as `URL.hostname` gives it, means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return loopback.test(hostname);
}

/**
 * Whether a URL is https on a listed host, without a port, or http on a listed loopback host and port.
 * @param allowedHosts host names (`upload.wikimedia.org`), fake providers with their port (`127.0.0.1:4010`)
 */
export function isAllowedUrl(text: string, allowedHosts: readonly string[]): text is ProviderUrl {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, host, hostname, port, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (isLoopbackHost(hostname)) return protocol.startsWith('http') && allowedHosts.includes(host);
  return protocol === 'https:' && port === '' && allowedHosts.includes(hostname);
}
