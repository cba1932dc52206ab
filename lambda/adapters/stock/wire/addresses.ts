/** Addresses that providers name, made safe to show or to ask. */

import { isLoopbackHost } from '../../../domain/picture/allowed-address';

/** A page that may be linked to; `//host/path` counts as https, and any other scheme than http and https as no page. */
export function pageAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const address = value.trim().replace(/^\/\//, 'https://');
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address).href : undefined;
}

/** The address of a picture over https; a plain http one is raised to https, except on this machine. */
export function pictureAddress(value: unknown): string | undefined {
  const address = pageAddress(value);
  if (address === undefined) return undefined;
  const url = new URL(address);
  if (!isLoopbackHost(url.hostname)) url.protocol = 'https:';
  return url.href;
}

/** The hosts that a provider may name: its own, or those of the twin that stands in for it on this machine. */
export function hostsFor(baseUrl: string, own: readonly string[]): readonly string[] {
  const { host, hostname } = new URL(baseUrl);
  return isLoopbackHost(hostname) ? [host] : own;
}
