/** Checks whether the page of a request is one of the origins of a site key. */

import { parseUrl } from '../base/parse';
import type { KeyMode } from './api-key';

/** An origin such as `https://example.com` or `https://*.example.com`; made by `readAllowedOrigin` only. */
export type AllowedOrigin = string & { readonly brand: 'AllowedOrigin' };

/** The page that asks, as a browser states it; a program can state anything. */
export interface RequestingPage {
  /** `Origin`, else that of `Referer`; the text `null` for a page that conceals it; absent without both. */
  readonly origin?: string;
  readonly isImageLoad: boolean;
}

/** `unproven`: no header names a page, but the browser states that it loads an image into one. */
type OriginCheck = 'allowed' | 'unproven' | 'refused';

/** Reads the page of a request from its headers; `header` takes a name in lower case. */
export function readRequestingPage(header: (name: string) => string | undefined): RequestingPage {
  const origin = header('origin');
  const referer = header('referer');
  const isImageLoad = header('sec-fetch-dest') === 'image' && (header('sec-fetch-site') ?? 'none') !== 'none';
  if (origin) return { origin: normaliseOrigin(origin), isImageLoad };
  return { ...(referer !== undefined && { origin: parseUrl(referer)?.origin ?? 'null' }), isImageLoad };
}

/** Writes an origin as browsers do, to compare it as text; `null` for anything else. */
function normaliseOrigin(text: string): string {
  return /^https?:\/\/[^/?#@\s]+$/i.test(text) ? (parseUrl(text)?.origin ?? 'null') : 'null';
}

/**
 * Whether a page may use a site key with these origins. A wildcard stands for one label or more. For a test
 * key, an origin on this machine stands for localhost and 127.0.0.1 with any port.
 */
export function checkOrigin(
  allowed: readonly AllowedOrigin[],
  { origin, isImageLoad }: RequestingPage,
  mode: KeyMode,
): OriginCheck {
  if (origin === undefined) return isImageLoad ? 'unproven' : 'refused';
  // A development server takes another port where its own is in use.
  const isLocal = mode === 'test' && anyPort.test(origin) && allowed.some((entry) => anyPort.test(entry));
  return isLocal || allowed.some((entry) => matches(entry, origin)) ? 'allowed' : 'refused';
}

function matches(allowed: AllowedOrigin, origin: string): boolean {
  if (!allowed.startsWith(wildcard)) return origin === allowed;
  const domain = allowed.slice(wildcard.length - 1);
  return origin.startsWith('https://') && origin.slice('https://a'.length).endsWith(domain);
}

const wildcard = 'https://*.';
const anyLocalhost = 'http://localhost:*';
/** Origins on this machine, by its usual names, with any port. */
const anyPort = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::(?:\d{1,5}|\*))?$/;

export const originForm =
  'an origin such as https://example.com, https://*.example.com or http://localhost:3000, and for test keys http://localhost:*';

/** Reads an origin: lower case, host in ASCII; `undefined` for one that a key of this mode may not have. */
export function readAllowedOrigin(text: string, mode: KeyMode): AllowedOrigin | undefined {
  const trimmed = text.replace(/\/$/, '');
  if (trimmed === anyLocalhost) return mode === 'test' ? (trimmed as AllowedOrigin) : undefined;
  const isWildcard = trimmed.startsWith(wildcard);
  const withoutWildcard = isWildcard ? `https://${trimmed.slice(wildcard.length)}` : trimmed;
  // No user name, path, query, second origin, or wildcard in another place.
  const url = /^https?:\/\/[^/?#@*\s,]+$/i.test(withoutWildcard) ? parseUrl(withoutWildcard) : undefined;
  if (!url) return undefined;
  const { protocol, hostname, origin } = url;
  // A name of one label is a top-level domain, or means another machine in every network.
  const isAllowed =
    protocol === 'http:'
      ? /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
      : /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/.test(hostname);
  if (!isAllowed) return undefined;
  return (isWildcard ? origin.replace('https://', wildcard) : origin) as AllowedOrigin;
}
