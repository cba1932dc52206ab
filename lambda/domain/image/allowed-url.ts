/** Which URLs the service may redirect to or fetch from: those of listed hosts, over https. */

/** Names and URLs of this machine; a local fake provider of a provider listens on one of them. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name, as `URL.hostname` gives it, means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return loopback.test(hostname);
}

/**
 * Whether an address is https on a listed host and its own port, or plain http on a listed loopback host and port.
 * @param allowedHosts host names (`upload.wikimedia.org`) and loopback fake providers with their port (`127.0.0.1:4010`)
 */
export function isAllowedUrl(address: string, allowedHosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, hostname, port, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  if (isLoopbackHost(hostname)) return protocol.startsWith('http') && allowedHosts.includes(host);
  return protocol === 'https:' && port === '' && allowedHosts.includes(hostname);
}
