/** The response headers, with their texts and schemas for OpenAPI. */

import { imageSources } from './providers';

/** The texts of headers for `openapi.json`: of images, of charged requests, and of other responses. */
export const headerTexts = {
  image: {
    'X-Cache': 'MISS on the one request that caused an upstream request, else HIT.',
    'X-Image-Source': 'The source that served the image.',
    'X-Image-Fit':
      'Weighted share of the query that the texts of a stock image name: exact (85 % or more), partial, or loose (less than 30 %).',
    'X-Image-Note':
      'What had no effect or another one than you may expect, such as `ignored: size, qurey; did you mean query?`; at most 300 bytes.',
    'X-Image-Id': 'Id of an AI image, for its permalink.',
    'X-Image-Attribution':
      'Credit line in ASCII, shortened: letters lose their marks. In place of a credit in another script, /api/image names provider, page and licence; /v1 has question marks. The record holds the full text.',
    'X-Image-Color': 'Average colour of the image, if it is known.',
    Link: 'URL of the licence, with rel="license", if there is one.',
  },
  rate: {
    'X-RateLimit-Limit': 'Requests in the window; 2147483647 means unlimited.',
    'X-RateLimit-Remaining': 'Requests left in the window.',
    'X-RateLimit-Reset': 'When the next window begins, ISO 8601 in UTC.',
    RateLimit:
      'The same, as the IETF field: requests and seconds left. Of AI images with a second member, generations: those of the month.',
    'RateLimit-Policy':
      'The window as the IETF field: requests and seconds. Of AI images with generations as a second member.',
  },
  other: {
    Location: 'URL of the image, which has exactly the requested size.',
    'WWW-Authenticate':
      'On 401, the scheme in which a key is sent, `Bearer`, and the URL of the metadata of RFC 9728.',
    'X-Image-Fallback':
      'The problem code, on an error card; gone, on the card of an image that is gone at its source or was taken down.',
    'Retry-After': 'Seconds to wait before the next attempt.',
    'X-Response-Time': 'Processing time, such as 42ms.',
    'Cache-Control': 'How long the response may be cached.',
    Vary: 'Request headers on which the response depends.',
    ETag: 'Changes with the content.',
  },
} as const;

export const exposedHeaders: readonly string[] = [
  ...['Location', ...Object.keys(headerTexts.image), ...Object.keys(headerTexts.rate)],
  ...['X-Image-Fallback', 'Retry-After', 'X-Response-Time'],
];

/** The headers of every response of functions and gateway. They let pages of any origin use images. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Writes the headers of a response to a preflight, for functions and gateway. */
export function writePreflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, X-API-Key, Accept, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
    'Access-Control-Max-Age': '86400',
    Allow: methods.join(', '),
  };
}

/** The challenge of a 401 (RFC 9110, 15.5.2). */
export const bearerChallenge = 'Bearer realm="image-redirect"';

/** A header that `openapi.json` describes. */
export type HeaderName = {
  [G in keyof typeof headerTexts]: keyof (typeof headerTexts)[G];
}[keyof typeof headerTexts];

const count = { type: 'integer', minimum: 0 } as const;

/** The JSON Schemas of headers. A header that is not listed may have any text. */
export const headerSchemas: Readonly<Partial<Record<HeaderName, object>>> = {
  Location: { type: 'string', format: 'uri' },
  'X-Cache': { type: 'string', enum: ['HIT', 'MISS'] },
  'X-Image-Source': { type: 'string', enum: imageSources },
  'X-Image-Fit': { type: 'string', enum: ['exact', 'partial', 'loose'] },
  'X-Image-Id': { type: 'string', pattern: '^[0-9a-f]{32}$' },
  'X-Image-Color': { type: 'string', pattern: '^#[0-9a-f]{6}$' },
  'X-RateLimit-Limit': count,
  'X-RateLimit-Remaining': count,
  'X-RateLimit-Reset': { type: 'string', format: 'date-time' },
  'Retry-After': count,
  'X-Response-Time': { type: 'string', pattern: '^[0-9]+ms$' },
};
