/** The response headers: those that every answer carries, those that browser scripts may read, and what each says. */

import { imageSources } from './providers';

/** Headers that a browser script may read on every answer. */
export const exposedHeaders = [
  'Location',
  'X-Cache',
  'X-Image-Source',
  'X-Image-Id',
  'X-Image-Attribution',
  'X-Image-Color',
  'X-Image-Fallback',
  'X-Image-Fit',
  'X-Image-Note',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Response-Time',
  'Link',
] as const;

/** Headers of every answer, of a function or of the gateway: images are used by pages of any origin. */
export const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * What the answer to a CORS preflight adds, of a function or of the gateway. Browsers may keep it for a day.
 * @param methods of the route
 */
export function corsHeadersFor(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, X-API-Key, Accept, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
    'Access-Control-Max-Age': '86400',
    Allow: methods.join(', '),
  };
}

/** What a 401 says of the credentials that are taken (RFC 9110, 15.5.2). */
export const bearerChallenge = 'Bearer realm="image-redirect"';

/** A response header that `openapi.json` describes. */
export type HeaderName =
  | (typeof exposedHeaders)[number]
  | 'WWW-Authenticate'
  | 'Cache-Control'
  | 'Vary'
  | 'ETag';

/** What the OpenAPI document says of a header. */
export interface HeaderText {
  readonly description: string;
  /** JSON Schema of its value; any text without one. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** `image`: on every answer with an image; `rate`: on those of charged routes. */
  readonly group?: 'image' | 'rate';
}

const count = { type: 'integer', minimum: 0 } as const;

/** Only the documentation loads them; in the order in which they are shown. */
export const headerTexts: Readonly<Record<HeaderName, HeaderText>> = {
  Location: {
    description: 'URL of the image, which has exactly the requested size.',
    schema: { type: 'string', format: 'uri' },
  },
  'X-Cache': {
    description: 'MISS on the one request that caused an upstream request, HIT on every other.',
    schema: { type: 'string', enum: ['HIT', 'MISS'] },
    group: 'image',
  },
  'X-Image-Source': {
    description: 'The source that served the image.',
    schema: { type: 'string', enum: imageSources },
    group: 'image',
  },
  'X-Image-Fit': {
    description:
      'How much of the query the texts of a stock image cover: every content word (exact), some (partial), or none (loose).',
    schema: { type: 'string', enum: ['exact', 'partial', 'loose'] },
    group: 'image',
  },
  'X-Image-Note': {
    description:
      'What had no effect or another one than you may expect, such as `ignored: size, qurey; did you mean query?`; at most 300 bytes.',
    group: 'image',
  },
  'WWW-Authenticate': {
    description:
      'On 401, the scheme in which a key is sent, `Bearer`, and the URL of the metadata of RFC 9728.',
  },
  'X-Image-Fallback': {
    description:
      'The problem code, on an error card; gone, on the card of an image that its source has removed.',
  },
  'X-Image-Id': {
    description: 'Id of an AI image, for its permalink.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    group: 'image',
  },
  'X-Image-Attribution': {
    description:
      'Credit line in ASCII: letters lose their marks, and other scripts become a question mark. The record holds the full text.',
    group: 'image',
  },
  'X-Image-Color': {
    description: 'Average colour of the image, if it is known.',
    schema: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
    group: 'image',
  },
  Link: { description: 'URL of the licence, with rel="license", if there is one.', group: 'image' },
  'X-RateLimit-Limit': {
    // No template: bundles of the hot path would keep the whole table for its sake.
    description: 'Requests in the window; 2147483647 means unlimited.',
    schema: count,
    group: 'rate',
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
    schema: count,
    group: 'rate',
  },
  'X-RateLimit-Reset': {
    description: 'When the next window begins, ISO 8601 in UTC.',
    schema: { type: 'string', format: 'date-time' },
    group: 'rate',
  },
  RateLimit: {
    description:
      'The same, as the IETF field: requests and seconds left. Of AI images with a second member, generations: those of the month.',
    group: 'rate',
  },
  'RateLimit-Policy': {
    description:
      'The window as the IETF field: requests and seconds. Of AI images with generations as a second member.',
    group: 'rate',
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: count },
  'X-Response-Time': {
    description: 'Processing time, such as 42ms.',
    schema: { type: 'string', pattern: '^[0-9]+ms$' },
  },
  'Cache-Control': { description: 'How long the response may be cached.' },
  Vary: { description: 'Request headers on which the response depends.' },
  ETag: { description: 'Changes with the content.' },
};
