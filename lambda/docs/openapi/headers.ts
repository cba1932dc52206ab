/** The response headers. */

import { unlimitedRequests } from '../../contract/plans';
import { imageSources } from '../../contract/providers';
import type { Header, Reference } from './types';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** By name, as in the document's components. */
const headers = {
  Location: {
    description: 'URL of the image, which has exactly the requested size.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'X-Cache': {
    description: 'MISS on the one request that caused an upstream request, HIT on every other.',
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
    description:
      'Credit line in ASCII: letters lose their marks, and other scripts become a question mark. The record holds the full text.',
    required: true,
    schema: text,
  },
  'X-Image-Color': {
    description: 'Average colour of the image, if it is known.',
    schema: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
  },
  'X-Image-ThumbHash': { description: 'ThumbHash of the image in base64, if it is known.', schema: text },
  Link: { description: 'URL of the licence, with rel="license", if there is one.', schema: text },
  'X-RateLimit-Limit': {
    description: `Requests in the window; ${unlimitedRequests} means unlimited.`,
    required: true,
    schema: count,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
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
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Image-Fallback': {
    description:
      'The problem code, on an error card; other_image, where the usual image of the query cannot fill this size.',
    schema: text,
  },
  'X-Image-Fit': {
    description:
      'How much of the query the texts of a stock image cover: every content word (exact), some (partial), or none (loose).',
    schema: { type: 'string', enum: ['exact', 'partial', 'loose'] },
  },
  'X-Response-Time': {
    description: 'Processing time, such as 42ms.',
    schema: { type: 'string', pattern: '^[0-9]+ms$' },
  },
  'Cache-Control': { description: 'How long the response may be cached.', schema: text },
  Vary: { description: 'Request headers on which the response depends.', schema: text },
  Allow: { description: 'Methods that the resource supports.', schema: text },
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

/** Suffix of the components for headers that a response may lack, such as rate limit headers on an error. */
const optional = '.optional';

/** References to optional headers. */
export function withOptionalHeaders(...names: readonly HeaderName[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}${optional}` }]));
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
      return [`${name}${optional}`, { description, schema }];
    }),
  ),
};
