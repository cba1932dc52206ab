/** The origins of a site key: their form, and the check of the page that sends a request. */

import { parseUrl } from '../base/parse';
import type { KeyMode } from './api-key';

/** An origin such as `https://example.com` or `https://*.example.com`. Only `parseAllowedOrigin` makes one. */
export type AllowedOrigin = string & { readonly brand: 'AllowedOrigin' };

/** The page that sends a request. A browser states it truthfully; a program can state anything. */
export interface RequestingPage {
  /** From `Origin` or else `Referer`. The text `null` if the page conceals it. Without both headers there is none. */
  readonly origin?: string;
  readonly isImageLoad: boolean;
}

/** `unproven`: no header names a page, but the browser states that it loads an image into a page. */
type OriginCheck = 'allowed' | 'unproven' | 'refused';

/** Gets the page of a request from its headers. `getHeader` takes a name in lower case. */
export function getRequestingPage(getHeader: (name: string) => string | undefined): RequestingPage {
  const origin = getHeader('origin');
  const referer = getHeader('referer');
  const isImageLoad =
    getHeader('sec-fetch-dest') === 'image' && (getHeader('sec-fetch-site') ?? 'none') !== 'none';
  if (origin) return { origin: normaliseOrigin(origin), isImageLoad };
  return { ...(referer !== undefined && { origin: parseUrl(referer)?.origin ?? 'null' }), isImageLoad };
}

/** Normalises an origin to the form of browsers, so that it can be compared as text. Another text gives `null`. */
function normaliseOrigin(text: string): string {
  return /^https?:\/\/[^/?#@\s]+$/i.test(text) ? (parseUrl(text)?.origin ?? 'null') : 'null';
}

/**
 * Checks if a page may use a site key with these origins. A wildcard stands for one label or more. In a test
 * key, an origin on this machine stands for localhost and 127.0.0.1 with any port.
 */
export function checkOrigin(
  allowedOrigins: readonly AllowedOrigin[],
  { origin, isImageLoad }: RequestingPage,
  mode: KeyMode,
): OriginCheck {
  if (origin === undefined) return isImageLoad ? 'unproven' : 'refused';
  // A development server takes another port when its usual port is in use.
  const isLocal =
    mode === 'test' &&
    anyPort.test(origin) &&
    allowedOrigins.some((allowedOrigin) => anyPort.test(allowedOrigin));
  return isLocal || allowedOrigins.some((entry) => matches(entry, origin)) ? 'allowed' : 'refused';
}

function matches(allowed: AllowedOrigin, origin: string): boolean {
  if (!allowed.startsWith(wildcard)) return origin === allowed;
  const domain = allowed.slice(wildcard.length - 1);
  return origin.startsWith('https://') && origin.slice('https://a'.length).endsWith(domain);
}

const wildcard = 'https://*.';
const anyLocalhost = 'http://localhost:*';
/** Matches origins on this machine with any port. */
const anyPort = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::(?:\d{1,5}|\*))?$/;

export const originForm =
  'an origin such as https://example.com, https://*.example.com or http://localhost:3000, and for test keys http://localhost:*';

/** Parses an origin. One that a key of this mode may not have gives `undefined`. */
export function parseAllowedOrigin(text: string, mode: KeyMode): AllowedOrigin | undefined {
  const trimmed = text.replace(/\/$/, '');
  if (trimmed === anyLocalhost) return mode === 'test' ? (trimmed as AllowedOrigin) : undefined;
  const isWildcard = trimmed.startsWith(wildcard);
  const withoutWildcard = isWildcard ? `https://${trimmed.slice(wildcard.length)}` : trimmed;
  // The pattern excludes user names, paths, queries, second origins and other wildcards.
  const url = /^https?:\/\/[^/?#@*\s,]+$/i.test(withoutWildcard) ? parseUrl(withoutWildcard) : undefined;
  if (!url) return undefined;
  const { protocol, hostname, origin } = url;
  // A name of one label is a top-level domain, or it means another machine in every network.
  const isAllowed =
    protocol === 'http:'
      ? /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
      : /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/.test(hostname);
  if (!isAllowed) return undefined;
  return (isWildcard ? origin.replace('https://', wildcard) : origin) as AllowedOrigin;
}
