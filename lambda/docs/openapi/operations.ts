/** The operations of the API: parameters, request body and responses of each. */

import {
  type ParameterName,
  parameterNames,
  pathFormParameters,
  permalinkParameters,
} from '../../contract/parameters';
import { pageBounds } from '../../contract/request-bounds';
import { routes } from '../../contract/routes';
import {
  type ApiResponse,
  anyJson,
  type Content,
  describeErrors,
  headerRefs,
  jsonContent,
  type RouteKind,
  routeKinds,
} from './errors';

const html: Content = { 'text/html': { schema: { type: 'string', contentMediaType: 'text/html' } } };

/** Refers to parameters. `api_key` is left out, because a security scheme describes it. */
const parameterRefs = (...names: readonly string[]) =>
  names.filter((name) => name !== 'api_key').map((name) => ({ $ref: `#/components/parameters/${name}` }));
const inPath: readonly ParameterName[] = pathFormParameters;
const otherParameters = parameterNames.filter((name) => !inPath.includes(name));

/** The facts of one operation, beside those of its kind of route. */
interface OperationFacts {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly body?: Content;
  /** The bodies of the responses that are no error, by status; `undefined` for no body. */
  readonly successes: Readonly<Record<number, Content | undefined>>;
}

const statusTexts: Readonly<Record<number, string>> = {
  200: 'The requested document.',
  201: 'Created.',
  202: 'Accepted.',
  302: 'A redirect to the image, with the short form of its record.',
  304: 'Not modified.',
  404: 'Not found.',
};

/** One method of a path. */
export type Operation = ReturnType<typeof describeOperation>;

function describeOperation(kindName: keyof typeof routeKinds, facts: OperationFacts) {
  const { body, successes, ...texts } = facts;
  const kind: RouteKind = routeKinds[kindName];
  const keys = kindName === 'page' ? [] : [{ bearerKey: [] }, { headerKey: [] }, { queryKey: [] }];
  const responses = Object.entries(successes).map(([status, content]): [string, ApiResponse] => [
    status,
    {
      description: statusTexts[Number(status)] ?? '',
      headers: headerRefs(kind),
      ...(content && { content }),
    },
  ]);
  return {
    ...texts,
    tags: [kind.tag ?? 'Images'],
    // A list of alternatives: one of them is enough.
    security: [...(kind.worksWithoutKey ? [{}] : []), ...keys],
    ...(body && { requestBody: { required: facts.operationId !== 'rotateKey', content: body } }),
    responses: { ...describeErrors(kind), ...Object.fromEntries(responses) },
  };
}

const imageSuccesses = { 302: jsonContent('Image'), 200: jsonContent('Record') };

function describePage(operationId: string, summary: string, mediaType: string) {
  const type = mediaType === 'application/json' ? 'object' : 'string';
  const successes = { 200: { [mediaType]: { schema: { type } } }, 304: undefined };
  return { get: describeOperation('page', { operationId, summary, successes }) };
}

const describeKeys = (facts: OperationFacts) =>
  describeOperation('keys', { ...facts, description: 'With an owner key.' });
const keyIdParameter = parameterRefs('keyId');

/** The operations by path and method. Paths have no stage. Preflights are left out. */
export const apiPaths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  [routes.image]: {
    get: describeOperation('image', {
      operationId: 'findImage',
      summary: 'Find an image',
      description:
        'Redirects to an image of exactly the requested size; `format=json` returns its record. Counts as one request.',
      parameters: parameterRefs(...pathFormParameters, ...otherParameters),
      successes: imageSuccesses,
    }),
  },
  // In OpenAPI, a variable of a path cannot have several segments.
  [routes.imagePath.replace('+', '')]: {
    get: describeOperation('image', {
      operationId: 'findImageByPath',
      summary: 'Find an image by path',
      description: 'The short form for image tags: the path has the size and the words.',
      parameters: parameterRefs('spec', ...otherParameters),
      successes: imageSuccesses,
    }),
  },
  [routes.permalink]: {
    get: describeOperation('permalink', {
      operationId: 'getImage',
      summary: 'Get one AI image by its id',
      description:
        'The permanent URL of an AI image. Only its account sees a private image. Without `width` and `height`, the image has its original size; with one of them, the other follows from its ratio. Counts as one request.',
      parameters: parameterRefs('id', ...permalinkParameters),
      successes: imageSuccesses,
    }),
  },
  [routes.images]: {
    post: describeOperation('batch', {
      operationId: 'findImages',
      summary: 'Find all images of a page',
      description:
        'Returns the record of each slot, or the problem of a slot without an image. If all images of a slot are on the page already, its problem is `duplicate_image` (409). No image appears twice, and none of `exclude` appears. Each image that is found counts as one request.',
      body: jsonContent('Batch'),
      successes: { 200: jsonContent('BatchResult') },
    }),
  },
  [routes.pages]: {
    post: describeOperation('batch', {
      operationId: 'fillPage',
      summary: 'Repair a page',
      description: `Replaces the placeholders of an HTML page with photos that fit their words. Every other image stays. Returns the page, or JSON with a report if the body or \`Accept\` is JSON. A call fills at most ${pageBounds.imagesMax} images: \`left\` counts the rest, and a call with the returned page goes on. Each image that is found counts as one request; a call that fills nothing costs none.`,
      body: { ...html, ...jsonContent('Page') },
      successes: { 200: { ...html, ...jsonContent('FilledPage') } },
    }),
  },
  [routes.mcp]: {
    post: describeOperation('mcp', {
      operationId: 'callMcp',
      summary: 'Model Context Protocol',
      description:
        'Streamable HTTP without sessions: a JSON-RPC message gets one message, a notification gets 202. Tools find images, repair pages and build URLs. A refused message gets a JSON-RPC error (400, 403; 404 for a method that revision 2026-07-28 does not know).',
      body: anyJson,
      successes: { 200: anyJson, 202: undefined, 404: anyJson },
    }),
  },
  [routes.generations]: {
    post: describeOperation('openAi', {
      operationId: 'generateImages',
      summary: "Images for clients of OpenAI's API",
      description:
        'The API of OpenAI, with the models `ai`, `stock` and `auto`. OpenAI’s own names mean `ai`. `url` is signed for every visitor and does not end. The response has at least one image, and may have fewer than were ordered. Each stock image counts as one request. AI images count as one request together.',
      body: jsonContent('OpenAiOrder'),
      successes: { 200: jsonContent('OpenAiImages'), 404: jsonContent('OpenAiError') },
    }),
  },
  [routes.models]: {
    get: describeOperation('openAi', {
      operationId: 'listModels',
      summary: "The models for clients of OpenAI's API",
      description: 'Free.',
      successes: { 200: anyJson },
    }),
  },
  [routes.usage]: {
    get: describeOperation('usage', {
      operationId: 'getUsage',
      summary: 'Get the usage of your account',
      description:
        'Free. `used` and `remaining` are exact. The plan pro and higher plans get breakdowns of charged requests, and the number of free requests. A test key gets its current hour.',
      successes: { 200: jsonContent('Usage') },
    }),
  },
  [routes.keys]: {
    get: describeKeys({
      operationId: 'listKeys',
      summary: 'List your keys',
      successes: { 200: jsonContent('Keys') },
    }),
    post: describeKeys({
      operationId: 'createKey',
      summary: 'Create a key',
      body: jsonContent('NewKey'),
      successes: { 201: jsonContent('MadeKey') },
    }),
  },
  [routes.key]: {
    patch: describeKeys({
      operationId: 'renameKey',
      summary: 'Rename a key',
      parameters: keyIdParameter,
      body: jsonContent('RenamedKey'),
      successes: { 200: jsonContent('Key') },
    }),
    delete: describeKeys({
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      parameters: keyIdParameter,
      successes: { 200: jsonContent('Key') },
    }),
  },
  [routes.keySuccessor]: {
    post: describeKeys({
      operationId: 'rotateKey',
      summary: 'Replace a key',
      parameters: keyIdParameter,
      body: jsonContent('RotatedKey'),
      successes: { 201: jsonContent('MadeKey') },
    }),
  },
  [routes.accountPage]: describePage('getAccountPage', 'Usage of an account', 'text/html'),
  [routes.docs]: describePage('getDocumentation', 'Documentation and playground', 'text/html'),
  [routes.openApi]: describePage('getOpenApi', 'OpenAPI description', 'application/json'),
  [routes.llms]: describePage('getLlmsText', 'Documentation for language models', 'text/plain'),
};
