/** The operations of the API: every route with every method. */

import {
  type ParameterName,
  parameterNames,
  pathFormParameters,
  permalinkParameters,
} from '../../contract/parameters';
import { routes } from '../../contract/routes';
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
    responses: { ...preflightResponses, ...problemResponses('preflight', false) },
  };
}

const page = (operationId: string, summary: string, mediaType: string): Operation => ({
  operationId,
  summary,
  tags: ['Documentation'],
  security: noKey,
  responses: { ...pageResponses(mediaType, summary), ...problemResponses('page', false) },
});

export const paths: Readonly<Record<string, PathItem>> = {
  [routes.image]: pathItem({
    operationId: 'findImage',
    summary: 'Find an image',
    description: 'Redirects to an image of exactly the requested size. Counts as one request.',
    tags: ['Images'],
    security: [...noKey, ...anyKey],
    parameters: withParameters(...pathFormParameters, ...options),
    responses: { ...imageResponses, ...problemResponses('image', true) },
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
      responses: { ...imageResponses, ...problemResponses('image', true) },
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
      responses: { ...imageResponses, ...problemResponses('permalink', true) },
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
    responses: { ...batchResponses, ...problemResponses('batch', false) },
  }),
  [routes.mcp]: postItem({
    operationId: 'callMcp',
    summary: 'Model Context Protocol',
    description:
      'Streamable HTTP without sessions: one JSON-RPC message in, one out. Tools find images, build image URLs and return credit lines.',
    tags: ['Images'],
    security: [...noKey, ...anyKey],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: { ...mcpResponses, ...problemResponses('mcp', false) },
  }),
  [routes.usage]: pathItem({
    operationId: 'getUsage',
    summary: 'Get the usage of your account',
    description:
      'Exact and free of charge. Plans pro and up include breakdowns. For a test key, the usage of its current hour.',
    tags: ['Account'],
    security: anyKey,
    responses: { ...usageResponses, ...problemResponses('usage', false) },
  }),
  [routes.docs]: pathItem(page('getDocumentation', 'Documentation and playground', 'text/html')),
  [routes.openApi]: pathItem(page('getOpenApi', 'OpenAPI description', 'application/json')),
  [routes.llms]: pathItem(page('getLlmsText', 'Documentation for language models', 'text/plain')),
};
