/** Answers with content that every cache may keep, or with 304 where the caller has it already. */

import type { HttpRequest } from './http-request';
import type { HttpResponse } from './http-response';

export interface CacheableContent {
  readonly body: string;
  /** Strong entity tag with its quotation marks; changes with the body. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param maxAgeS longest time a copy may be kept, in seconds */
export function cacheableResponse(
  { body, etag, headers }: CacheableContent,
  { header }: Pick<HttpRequest, 'header'>,
  maxAgeS: number,
): HttpResponse {
  const caching = { 'Cache-Control': `public, max-age=${maxAgeS}`, ETag: etag };
  const known = (header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*')
    ? { status: 304, headers: caching, body: '' }
    : { status: 200, headers: { ...headers, ...caching }, body };
}
