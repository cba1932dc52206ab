/** The headers of the answers. */

import { imageSources } from '../../../contract/providers';
import type { Header, Reference } from './types';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** By name, as they stand in the document's components. */
const headers = {
  Location: {
    description: 'Address of the image, of exactly the requested size.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'X-Cache': {
    description: 'MISS on the one request that caused a source to be asked, HIT on every other.',
    required: true,
    schema: { type: 'string', enum: ['HIT', 'MISS'] },
  },
  'X-Image-Source': {
    description: 'The source that served the image.',
    required: true,
    schema: { type: 'string', enum: imageSources },
  },
  'X-Image-Id': {
    description: 'Id of an AI image, for its permalink.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'X-Image-Attribution': {
    description: 'Credit line, percent-encoded beyond ASCII.',
    required: true,
    schema: text,
  },
  Link: { description: 'Address of the licence, with rel="license", where there is one.', schema: text },
  'X-RateLimit-Limit': {
    description: 'Requests in the window; 2147483647 means unlimited.',
    required: true,
    schema: count,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left in the window.',
    required: true,
    schema: count,
  },
  'X-RateLimit-Reset': {
    description: 'When the next window begins, ISO 8601 in UTC.',
    required: true,
    schema: { type: 'string', format: 'date-time' },
  },
  RateLimit: {
    description: 'The same, as the IETF field: requests and seconds left.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The window as the IETF field: requests and seconds.',
    required: true,
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds after which asking again makes sense.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Image-Fallback': {
    description: 'The problem code, on a card that an image tag can show.',
    schema: text,
  },
  'X-Response-Time': {
    description: 'Time that the service took, such as 42ms.',
    schema: { type: 'string', pattern: '^[0-9]+ms$' },
  },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: text },
  Vary: { description: 'Request headers on which the answer depends.', schema: text },
  Allow: { description: 'Methods of the resource.', schema: text },
  ETag: { description: 'Changes with the content.', required: true, schema: text },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof headers;

export const rateHeaderNames = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const satisfies readonly HeaderName[];

/** References to headers, for a response. */
export function withHeaders(...names: readonly HeaderName[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Ends the names of headers that an answer may have and often has not: those of the rate limit on a refusal. */
const sometimes = '.sometimes';

/** References to headers that need not be there. */
export function withOptionalHeaders(...names: readonly HeaderName[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}${sometimes}` }]),
  );
}

const onRefusals = [...rateHeaderNames, 'Retry-After', 'X-Image-Fallback'] as const;

/** All headers for the document's components, by the names that references use. */
export const headerComponents: Readonly<Record<string, Header>> = {
  ...Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'Retry-After' && name !== 'X-Image-Fallback'),
  ),
  ...Object.fromEntries(
    onRefusals.map((name) => {
      const { description, schema }: Header = headers[name];
      return [`${name}${sometimes}`, { description, schema }];
    }),
  ),
};
