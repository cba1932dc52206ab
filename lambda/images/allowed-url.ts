/** Checks the host of a URL before the service redirects to it or fetches it. */

import { parseUrl } from '../base/parse';

/** URL of a provider's image. Only `isAllowedUrl` proves that the service may redirect to it or fetch it. */
export type ProviderUrl = string & { readonly brand: 'ProviderUrl' };

/**
 * Returns true if a host name means this machine, where local fake providers listen. It has the form of
 * `URL.hostname`: `[::1]`.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Returns true for https on a listed host without a port, or http on a listed port of this machine.
 * @param allowedHosts host names (`upload.wikimedia.org`), and fake providers with a port (`127.0.0.1:4010`)
 */
export function isAllowedUrl(text: string, allowedHosts: readonly string[]): text is ProviderUrl {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, host, hostname, port, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (isLoopbackHost(hostname)) return protocol.startsWith('http') && allowedHosts.includes(host);
  return protocol === 'https:' && port === '' && allowedHosts.includes(hostname);
}
