/** URLs that providers name, made safe to show or to request. */

import { parseUrl } from '../../../base/parse-url';
import { isLoopbackHost } from '../../../images/allowed-url';

/** A page that may be linked to; `//host/path` counts as https, and any other scheme than http and https as no page. */
export function pageUrl(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const absolute = value.trim().replace(/^\/\//, 'https://');
  return /^https?:\/\//i.test(absolute) ? parseUrl(absolute)?.href : undefined;
}

/** The URL of an image over https; a plain http one is raised to https, except on this machine. */
export function imageUrl(value: unknown): string | undefined {
  const page = pageUrl(value);
  if (page === undefined) return undefined;
  const url = new URL(page);
  if (!isLoopbackHost(url.hostname)) url.protocol = 'https:';
  return url.href;
}
