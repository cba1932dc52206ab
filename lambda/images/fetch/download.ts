/** Downloads a file by one GET: from a public IP address, or from this machine if the URL names it. */

import { type LookupAddress, lookup as lookUpName } from 'node:dns';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { readBytes } from '../../base/read-bytes';
import { downloadSilenceMsMax } from '../../contract/timeouts';
import { isLoopbackHost, type ProviderUrl } from '../allowed-url';
import { refuseRendition, type Unusable } from '../renderer-job';

type DownloadResult =
  | { readonly outcome: 'downloaded'; readonly bytes: Uint8Array }
  | { readonly outcome: 'redirected'; readonly location: string }
  | Unusable;

/** Options of a download. A body of more than `bytesMax` is unusable. */
export interface DownloadOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

// The special-purpose registries of IANA: https://www.iana.org/assignments/iana-ipv4-special-registry and
// https://www.iana.org/assignments/iana-ipv6-special-registry.
const closedIpv4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/** Networks in 2000::/3 that are not public: tunnels, benchmarks, documentation. */
const closedIpv6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const closedNetworks = new BlockList();
for (const [family, networks] of [
  ['ipv4', closedIpv4],
  ['ipv6', closedIpv6],
] as const)
  for (const network of networks.split(' ')) {
    const [address = '', prefix] = network.split('/');
    closedNetworks.addSubnet(address, Number(prefix), family);
  }
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Returns true for an IP address of the public internet. */
export function isPublicIp(ip: string): boolean {
  if (isIPv4(ip)) return !closedNetworks.check(ip, 'ipv4');
  return isIPv6(ip) && globalUnicast.check(ip, 'ipv6') && !closedNetworks.check(ip, 'ipv6');
}

class NotPublic extends Error {}

/**
 * Makes a lookup that resolves a name to public IP addresses only. The connection uses the checked address,
 * because a second lookup could return a private one.
 */
export function lookUpPublicly(resolve: typeof lookUpName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, resolved) => {
      const allAddresses = resolved as LookupAddress[] | undefined;
      const addresses = allAddresses?.filter(({ address }) => isPublicIp(address));
      const [first] = addresses ?? [];
      if (error || !first) callback(error ?? new NotPublic('the host has no public IP address'), '', 0);
      else if (options.all) callback(null, addresses as never);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Downloads a file. It follows no redirect.
 * @param resolveName replaces the machine's resolver in tests
 * @throws the signal's reason when it is aborted; every other failure is returned as `Unusable`
 */
export async function downloadFile(
  url: ProviderUrl,
  { headers, bytesMax, signal }: DownloadOptions,
  resolveName: typeof lookUpName = lookUpName,
  silenceMsMax = downloadSilenceMsMax,
): Promise<DownloadResult> {
  signal.throwIfAborted();
  const { protocol, hostname } = new URL(url);
  const request = (protocol === 'https:' ? requestHttps : requestHttp)(url, {
    headers: { ...headers, 'accept-encoding': 'identity' },
    agent: false,
    timeout: silenceMsMax,
    signal,
    ...(isLoopbackHost(hostname) ? {} : { lookup: lookUpPublicly(resolveName) }),
  });
  request.on('timeout', () => request.destroy(new Error('the connection stalled')));
  // An error without a listener would end the process. `once` and the response report errors, too.
  request.on('error', () => undefined);
  try {
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await readResponse(response, bytesMax);
  } catch (error) {
    signal.throwIfAborted();
    return refuseRendition((error as Error).message, !(error instanceof NotPublic));
  } finally {
    request.destroy();
  }
}

async function readResponse(response: IncomingMessage, bytesMax: number): Promise<DownloadResult> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined)
    return { outcome: 'redirected', location: headers.location };
  const isTemporary = statusCode >= 500 || statusCode === 429 || statusCode === 408;
  if (statusCode !== 200) return refuseRendition(`the status is ${statusCode}`, isTemporary);
  const tooLarge = refuseRendition(`more than ${bytesMax} bytes`);
  if (Number(headers['content-length'] ?? 0) > bytesMax) return tooLarge;
  const bytes = await readBytes(response, bytesMax);
  return bytes ? { outcome: 'downloaded', bytes } : tooLarge;
}
