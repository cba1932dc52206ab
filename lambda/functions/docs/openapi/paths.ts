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
  imageResponses,
  pageResponses,
  preflightResponses,
  problemResponses,
  usageResponses,
  withoutBodies,
} from './responses';
import type { Operation, PathItem } from './types';

const anybody = [{}] as const;
const anyKey = [{ headerKey: [] }, { queryKey: [] }] as const;

/** Codes that only some routes know. */
const elsewhere: readonly ProblemCode[] = ['not_found', 'method_not_allowed'];
const imageCodes = (Object.keys(problems) as ProblemCode[]).filter((code) => !elsewhere.includes(code));
const permalinkCodes: readonly ProblemCode[] = [
  'invalid_parameter',
  'invalid_api_key',
  'not_found',
  'rate_limited',
  'quota_exceeded',
  'upstream_unavailable',
  'internal_error',
];
const usageCodes: readonly ProblemCode[] = [
  'invalid_parameter',
  'authentication_required',
  'invalid_api_key',
  'rate_limited',
  'internal_error',
];

/** What the gateway may answer by itself, whatever is behind it. */
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
    options: {
      operationId: `${get.operationId}Preflight`,
      summary: 'CORS preflight',
      tags: get.tags,
      security: anybody,
      ...(segment === undefined ? {} : { parameters: withParameters(segment) }),
      responses: { ...preflightResponses, ...problemResponses(gatewayCodes, false) },
    },
  };
}

const page = (operationId: string, summary: string, mediaType: string): Operation => ({
  operationId,
  summary,
  tags: ['Documentation'],
  security: anybody,
  responses: { ...pageResponses(mediaType, summary), ...problemResponses(gatewayCodes, false) },
});

export const paths: Readonly<Record<string, PathItem>> = {
  [routes.image]: pathItem({
    operationId: 'findImage',
    summary: 'Find an image for some words',
    description: 'Answers with a redirect to an image of exactly the requested size. Costs one request.',
    tags: ['Images'],
    security: [...anybody, ...anyKey],
    parameters: withParameters(...pathFormParameters, ...options),
    responses: { ...imageResponses, ...problemResponses(imageCodes, true) },
  }),
  [routes.imagePath]: pathItem(
    {
      operationId: 'findImageByPath',
      summary: 'The same, with size and words in the path',
      description: 'The short form for image tags. query, width and height cannot be given beside it.',
      tags: ['Images'],
      security: [...anybody, ...anyKey],
      parameters: withParameters('spec', ...options),
      responses: { ...imageResponses, ...problemResponses(imageCodes, true) },
    },
    'anySpec',
  ),
  [routes.permalink]: pathItem(
    {
      operationId: 'getImage',
      summary: 'The lasting address of one AI image',
      description: 'Private images exist only for the account that made them. Costs one request.',
      tags: ['Images'],
      security: [...anybody, ...anyKey],
      parameters: withParameters('id', ...permalinkParameters.filter(isNoKey)),
      responses: { ...imageResponses, ...problemResponses(permalinkCodes, true) },
    },
    'anyId',
  ),
  [routes.usage]: pathItem({
    operationId: 'getUsage',
    summary: 'What your account has used',
    description: 'Exact, and free. Break-downs come with plans pro and up; test keys see their own hour.',
    tags: ['Account'],
    security: anyKey,
    responses: { ...usageResponses, ...problemResponses(usageCodes, false) },
  }),
  [routes.docs]: pathItem(page('getDocumentation', 'The documentation and playground', 'text/html')),
  [routes.openApi]: pathItem(page('getOpenApi', 'This description', 'application/json')),
  [routes.llms]: pathItem(
    page('getLlmsText', 'The documentation for programs that write pages', 'text/plain'),
  ),
};
