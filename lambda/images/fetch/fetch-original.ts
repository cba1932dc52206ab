/** Fetches an image from a listed host of the public internet. */

import { isIP } from 'node:net';
import { parseUrl } from '../../base/parse';
import { isAllowedUrl, isLoopbackHost } from '../allowed-url';
import { detectImageType } from '../image-type';
import { refuseRendition, type Unusable } from '../renderer-job';
import { downloadFile, isPublicIp } from './download';

const downloadBytesMax = 30_000_000;
const redirectsMax = 3;

/** The rules for fetching originals: the allowed servers on this machine, and the user agent. */
export interface FetchRules {
  /** Local fake providers, as host and port. No other server on this machine is sent a request. */
  readonly allowedLoopback: readonly string[];
  /** The `User-Agent`. Wikimedia asks that it tells how to reach the operator. */
  readonly userAgent?: string;
}

/** An image, or the reason why it was not fetched. */
export type FetchedOriginal = { readonly outcome: 'fetched'; readonly bytes: Uint8Array } | Unusable;

/**
 * Fetches an image, following at most `redirectsMax` redirects.
 * @param allowedHosts hosts that the URL and every redirect may have
 * @throws when the signal is aborted
 */
export async function fetchOriginal(
  { allowedLoopback, userAgent }: FetchRules,
  original: string,
  allowedHosts: readonly string[],
  signal: AbortSignal,
): Promise<FetchedOriginal> {
  const headers = { accept: 'image/*', ...(userAgent !== undefined && { 'user-agent': userAgent }) };
  let url = original;
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    if (!isAllowedUrl(url, allowedHosts)) return refuseRendition('the host is not on the list');
    const { host, hostname } = new URL(url);
    const isLoopback = isLoopbackHost(hostname);
    if (isLoopback && !allowedLoopback.includes(host)) return refuseRendition('the host is on this machine');
    // An IP address in a URL is checked here, because no lookup checks it.
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (!isLoopback && isIP(literal) !== 0 && !isPublicIp(literal))
      return refuseRendition('the IP address is not public');
    const download = await downloadFile(url, { bytesMax: downloadBytesMax, headers, signal });
    if (download.outcome === 'unusable') return download;
    if (download.outcome === 'downloaded') {
      if (detectImageType(download.bytes) === undefined) return refuseRendition('this is no image');
      return { outcome: 'fetched', bytes: download.bytes };
    }
    const target = parseUrl(download.location, url);
    if (!target) return refuseRendition('the redirect has no usable URL');
    url = target.href;
  }
  return refuseRendition('too many redirects');
}
