/** The result of a route is a response or a refusal. */

import type { RateLimitStatus, Refusal } from '../problems/problem';

/** A response, before the headers that every response has are added. A binary body is in base64. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64?: boolean;
}

/** A refusal, before it becomes a problem document or a card. */
export interface HttpRefusal {
  readonly refusal: Refusal;
  /** The state of the limit, for the headers, if it was read. */
  readonly rateLimit?: RateLimitStatus;
  readonly allow?: readonly string[];
}

/** A response, or a refusal that becomes one. */
export type HttpResult = HttpResponse | HttpRefusal;

/** Makes a response of JSON that no cache keeps. */
export function makeJsonResponse(value: unknown, headers: HttpResponse['headers'] = {}): HttpResponse {
  const jsonHeaders = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers: { ...headers, ...jsonHeaders }, body: JSON.stringify(value) };
}

/** Refuses one parameter. `bounds` says what is allowed. A missing parameter has no `received`. */
export function refuseParameter(parameter: string, bounds: string, received?: string): HttpRefusal {
  const fault = { parameter, bounds, ...(received !== undefined && { received }) };
  return { refusal: { code: 'invalid_parameter', faults: [fault] } };
}

/** A document that every cache may keep. */
export interface CacheableContent {
  readonly body: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the response with a document, or 304 if the caller has it. `getHeader` takes a name in lower case. */
export function makeCacheableResponse(
  { body, etag, headers }: CacheableContent,
  getHeader: (name: string) => string | undefined,
  maxAgeS: number,
): HttpResponse {
  const caching = { 'Cache-Control': `public, max-age=${maxAgeS}`, ETag: etag };
  const knownTags = getHeader('if-none-match')?.trim() ?? '';
  if (knownTags.includes(etag) || knownTags === '*') return { status: 304, headers: caching, body: '' };
  return { status: 200, headers: { ...headers, ...caching }, body };
}
