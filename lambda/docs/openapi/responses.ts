/** The responses of each kind of route, with every problem code of a status. */

import { type GatewayResponse, gatewayResponses, gatewayStatus } from '../../http/gateway-responses';
import { type ProblemCode, type ProblemPlace, problems } from '../../problems/problem';
import { codesAt } from './codes-at';
import { rateHeaderNames, withHeaders, withOptionalHeaders } from './headers';
import { problemOf } from './schemas';
import type { ApiResponse } from './types';

type Responses = Readonly<Record<string, ApiResponse>>;

const schema = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } });

const aboutTheImage = [
  'X-Cache',
  'X-Image-Source',
  'X-Image-Id',
  'X-Image-Fit',
  'X-Image-Attribution',
  'X-Image-Color',
  'X-Image-ThumbHash',
  'Link',
] as const;

/** Responses with an image. */
export const imageResponses: Responses = {
  '302': {
    description:
      'The redirect to the image. Its body is the short form of the record that format=json returns.',
    headers: {
      ...withHeaders('Location', ...aboutTheImage),
      ...withOptionalHeaders('X-Image-Fallback'),
      ...withHeaders(...rateHeaderNames, 'Cache-Control', 'Vary', 'X-Response-Time'),
    },
    content: { 'application/json': schema('Image') },
  },
  '200': {
    description:
      'The record of the image, with format=json; a WebP of at most 16 pixels a side, with format=placeholder.',
    headers: {
      ...withHeaders(...aboutTheImage),
      ...withOptionalHeaders('X-Image-Fallback'),
      ...withHeaders(...rateHeaderNames, 'Cache-Control', 'Vary', 'X-Response-Time'),
    },
    content: {
      'application/json': schema('Record'),
      'image/webp': { schema: { type: 'string', contentMediaType: 'image/webp' } },
    },
  },
};

/** Responses with the images of a page. */
export const batchResponses: Responses = {
  '200': {
    description:
      'The record of each slot, or the problem of a slot without an image, such as `duplicate_image` (409) where all its images are on the page already.',
    headers: {
      ...withOptionalHeaders(...rateHeaderNames),
      ...withHeaders('Cache-Control', 'X-Response-Time'),
    },
    content: { 'application/json': schema('BatchResult') },
  },
};

/** Responses of the Model Context Protocol. */
export const mcpResponses: Responses = {
  '200': {
    description: 'The JSON-RPC response.',
    headers: withHeaders('Cache-Control', 'X-Response-Time'),
    content: { 'application/json': { schema: { type: 'object' } } },
  },
  '202': {
    description: 'A notification was accepted.',
    headers: withHeaders('Cache-Control', 'X-Response-Time'),
  },
};

export const usageResponses: Responses = {
  '200': {
    description: 'The usage of the account.',
    headers: withHeaders(...rateHeaderNames, 'Cache-Control', 'Vary', 'X-Response-Time'),
    content: { 'application/json': schema('Usage') },
  },
};

/** Error responses of a kind of route by status: those of the function and those of API Gateway itself. */
export function problemResponses(place: Exclude<ProblemPlace, 'slot'>, hasCards: boolean): Responses {
  const codes = codesAt(place);
  const byStatus = new Map<number, Set<ProblemCode>>();
  const add = (status: number, code: ProblemCode) =>
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  for (const code of codes) add(problems[code].status, code);
  // Codes that a route cannot return are left out, such as 404 for paths that the API does not have.
  for (const answer of Object.values<GatewayResponse>(gatewayResponses))
    if (codes.includes(answer.code)) add(gatewayStatus(answer), answer.code);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, each]) => [status, problemResponse([...each], hasCards)]));
}

function problemResponse(codes: readonly ProblemCode[], hasCards: boolean): ApiResponse {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: withOptionalHeaders(
      ...rateHeaderNames,
      'Retry-After',
      ...(hasCards ? ['X-Image-Fallback' as const] : []),
    ),
    content: {
      'application/problem+json': {
        schema: problemOf(codes),
      },
      ...(hasCards
        ? {
            'image/svg+xml': {
              schema: { type: 'string', description: 'An error card of the requested size, for image tags.' },
            },
          }
        : {}),
    },
  };
}

/** Responses to a preflight. */
export const preflightResponses: Responses = {
  '204': {
    description: 'The methods and headers that other origins may use.',
    headers: withHeaders('Allow'),
  },
};

/** Responses with a cacheable page. */
export function pageResponses(mediaType: string, description: string): Responses {
  return {
    '200': {
      description,
      headers: withHeaders('ETag', 'Cache-Control'),
      content: { [mediaType]: { schema: { type: mediaType === 'application/json' ? 'object' : 'string' } } },
    },
    '304': { description: 'Not modified.', headers: withHeaders('ETag', 'Cache-Control') },
  };
}

/** The same responses without their bodies, for HEAD. */
export function withoutBodies(responses: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content: _, ...rest }]) => [status, rest]),
  );
}
