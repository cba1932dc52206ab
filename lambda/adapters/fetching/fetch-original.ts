/** Fetches an image from a listed host of the public internet, following redirects to listed hosts only. */

import { isIP } from 'node:net';
import { isAllowedUrl, isLoopbackHost } from '../../domain/image/allowed-url';
import { imageTypeOf } from '../../domain/image/image-type';
import type { FetchedOriginal, OriginalFetcher } from '../../ports/original-fetcher';
import { createDownload, type Download } from './download';
import { isPublicIp } from './public-ip';

/** Largest image that is taken, in bytes. */
const originalBytesMax = 30_000_000;
const redirectsMax = 3;

export interface OriginalFetcherOptions {
  /** Local fake providers of providers, as host and port: the only places on this machine that may be asked. */
  readonly allowedLoopback: readonly string[];
  /** Who asks; Wikimedia wants a way to reach the operator in it. */
  readonly userAgent?: () => string;
  /** Largest image that is taken, in bytes; `originalBytesMax` by default. */
  readonly bytesMax?: number;
  /** Stands in for the network in a test. */
  readonly download?: Download;
}

export function createOriginalFetcher(options: OriginalFetcherOptions): OriginalFetcher {
  const {
    allowedLoopback,
    userAgent,
    bytesMax = originalBytesMax,
    download: get = createDownload(),
  } = options;

  const faultOf = (address: string, allowedHosts: readonly string[]): string | undefined => {
    if (!isAllowedUrl(address, allowedHosts)) return 'the address is not on the list';
    const { host, hostname } = new URL(address);
    if (isLoopbackHost(hostname)) {
      return allowedLoopback.includes(host) ? undefined : 'the address is on this machine';
    }
    // A name is checked when it is resolved; an address written out never is.
    const literal = hostname.replace(/^\[|\]$/g, '');
    return isIP(literal) === 0 || isPublicIp(literal) ? undefined : 'the address is not public';
  };

  return async (url, allowedHosts, signal) => {
    let address = url;
    for (let redirects = 0; redirects <= redirectsMax; redirects++) {
      const fault = faultOf(address, allowedHosts);
      if (fault) return unusable(fault);
      const headers = { accept: 'image/*', ...(userAgent && { 'user-agent': userAgent() }) };
      const reply = await get(address, { bytesMax, headers, signal });
      if (reply.outcome === 'failed') return unusable(reply.reason);
      if (reply.outcome === 'downloaded') {
        if (imageTypeOf(reply.bytes) === undefined) return unusable('this is no image');
        return { outcome: 'fetched', bytes: reply.bytes };
      }
      if (!URL.canParse(reply.location, address)) return unusable('the redirect leads nowhere');
      address = new URL(reply.location, address).href;
    }
    return unusable('too many redirects');
  };
}

function unusable(reason: string): FetchedOriginal {
  return { outcome: 'unusable', reason };
}
