/** The operations of the API: every route with every method. */

import {
  type ParameterName,
  parameterNames,
  pathFormParameters,
  permalinkParameters,
} from '../../../contract/parameters';
import { routes } from '../../../contract/routes';
import { type ProblemCode, problems } from '../../../domain/problem/problem';
import { withParameters } from './parameters';
import {
  batchResponses,
  imageResponses,
  mcpResponses,
  pageResponses,
  preflightResponses,
  problemResponses,
  usageResponses,
  withoutBodies,
} from './responses';
import { schemaRef } from './schemas';
import type { Operation, PathItem } from './types';

const noKey = [{}] as const;
const anyKey = [{ bearerKey: [] }, { headerKey: [] }, { queryKey: [] }] as const;

/** Codes that the image routes do not return. */
const notOnImages: readonly ProblemCode[] = [
  'not_found',
  'method_not_allowed',
  'credential_not_allowed',
  'unsupported_media_type',
  'content_too_large',
  'duplicate_image',
];
const batchCodes: readonly ProblemCode[] = [
  'invalid_parameter',
  'conflicting_parameters',
  'authentication_required',
  'invalid_api_key',
  'credential_not_allowed',
  'unsupported_media_type',
  'content_too_large',
  'rate_limited',
  'internal_error',
];
const imageCodes = (Object.keys(problems) as ProblemCode[]).filter((code) => !notOnImages.includes(code));
const permalinkCodes: readonly ProblemCode[] = [
  'invalid_parameter',
  'invalid_api_key',
  'not_found',
  'rate_limited',
  'quota_exceeded',
  'upstream_unavailable',
  'internal_error',
];
const mcpCodes: readonly ProblemCode[] = [
  'invalid_parameter',
  'invalid_api_key',
  'credential_not_allowed',
  'unsupported_media_type',
  'content_too_large',
  'rate_limited',
  'internal_error',
];
const usageCodes: readonly ProblemCode[] = [
  'invalid_parameter',
  'authentication_required',
  'invalid_api_key',
  'rate_limited',
  'internal_error',
];

/** Codes that API Gateway itself may return on any route. */
const gatewayCodes: readonly ProblemCode[] = ['invalid_parameter', 'rate_limited', 'internal_error'];

/** The key is a security scheme, not a parameter. */
const isNoKey = <N extends ParameterName>(name: N): name is Exclude<N, 'api_key'> => name !== 'api_key';
const inPath: readonly ParameterName[] = pathFormParameters;
const options = parameterNames.filter(isNoKey).filter((name) => !inPath.includes(name));

/** GET as described, HEAD as GET without bodies, and the preflight. */
function pathItem(get: Operation, segment?: 'anySpec' | 'anyId'): PathItem {
  return {
    get,
    head: {
      ...get,
      operationId: `${get.operationId}Head`,
      summary: `${get.summary} (headers only)`,
      responses: withoutBodies(get.responses),
    },
    options: preflightOf(get, segment),
  };
}

/** POST as described, and the preflight. */
function postItem(post: Operation): PathItem {
  return { post, options: preflightOf(post) };
}

function preflightOf({ operationId, tags }: Operation, segment?: 'anySpec' | 'anyId'): Operation {
  return {
    operationId: `${operationId}Preflight`,
    summary: 'CORS preflight',
    tags,
    security: noKey,
    ...(segment === undefined ? {} : { parameters: withParameters(segment) }),
    responses: { ...preflightResponses, ...problemResponses(gatewayCodes, false) },
  };
}

const page = (operationId: string, summary: string, mediaType: string): Operation => ({
  operationId,
  summary,
  tags: ['Documentation'],
  security: noKey,
  responses: { ...pageResponses(mediaType, summary), ...problemResponses(gatewayCodes, false) },
});

export const paths: Readonly<Record<string, PathItem>> = {
  [routes.image]: pathItem({
    operationId: 'findImage',
    summary: 'Find an image',
    description: 'Redirects to an image of exactly the requested size. Counts as one request.',
    tags: ['Images'],
    security: [...noKey, ...anyKey],
    parameters: withParameters(...pathFormParameters, ...options),
    responses: { ...imageResponses, ...problemResponses(imageCodes, true) },
  }),
  [routes.imagePath]: pathItem(
    {
      operationId: 'findImageByPath',
      summary: 'Find an image by path',
      description:
        'The short form for image tags, with size and words in the path. Cannot be combined with query, width and height.',
      tags: ['Images'],
      security: [...noKey, ...anyKey],
      parameters: withParameters('spec', ...options),
      responses: { ...imageResponses, ...problemResponses(imageCodes, true) },
    },
    'anySpec',
  ),
  [routes.permalink]: pathItem(
    {
      operationId: 'getImage',
      summary: 'Get one AI image by its id',
      description:
        'The permanent URL of an AI image. Private images are visible to their own account only. Without width and height it has the size in which it was generated; with one of them, the other follows from its ratio. Counts as one request.',
      tags: ['Images'],
      security: [...noKey, ...anyKey],
      parameters: withParameters('id', ...permalinkParameters.filter(isNoKey)),
      responses: { ...imageResponses, ...problemResponses(permalinkCodes, true) },
    },
    'anyId',
  ),
  [routes.images]: postItem({
    operationId: 'findImages',
    summary: 'Find all images of a page',
    description:
      'Returns the record of each image by slot, or the problem of a slot without an image; no image twice, and with page none twice across calls. Each image that is found counts as one request.',
    tags: ['Images'],
    security: anyKey,
    requestBody: { required: true, content: { 'application/json': { schema: schemaRef('Batch') } } },
    responses: { ...batchResponses, ...problemResponses(batchCodes, false) },
  }),
  [routes.mcp]: postItem({
    operationId: 'callMcp',
    summary: 'Model Context Protocol',
    description:
      'Streamable HTTP without sessions: one JSON-RPC message in, one out. Tools find images, build image URLs and return credit lines.',
    tags: ['Images'],
    security: [...noKey, ...anyKey],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: { ...mcpResponses, ...problemResponses(mcpCodes, false) },
  }),
  [routes.usage]: pathItem({
    operationId: 'getUsage',
    summary: 'Get the usage of your account',
    description:
      'Exact and free of charge. Plans pro and up include breakdowns. For a test key, the usage of its current hour.',
    tags: ['Account'],
    security: anyKey,
    responses: { ...usageResponses, ...problemResponses(usageCodes, false) },
  }),
  [routes.docs]: pathItem(page('getDocumentation', 'Documentation and playground', 'text/html')),
  [routes.openApi]: pathItem(page('getOpenApi', 'OpenAPI description', 'application/json')),
  [routes.llms]: pathItem(page('getLlmsText', 'Documentation for language models', 'text/plain')),
};
