/** Describes the operations of the API, each with parameters, request body and responses. */

import { parameterNames, pathFormParameters, permalinkParameters } from '../../contract/parameters';
import { writeReportedPlans } from '../../contract/plans';
import { pageBounds } from '../../contract/request-bounds';
import { routes } from '../../contract/routes';
import {
  type ApiResponse,
  anyJson,
  type Content,
  describeErrors,
  listHeaderRefs,
  makeJsonContent,
  type RouteKind,
  routeKinds,
} from './errors';

const image = { 302: makeJsonContent('Image'), 200: makeJsonContent('Record') };
const html: Content = { 'text/html': { schema: { type: 'string', contentMediaType: 'text/html' } } };

const otherParameters = parameterNames.filter((name) => !pathFormParameters.includes(name));

/** The facts of one operation. Its kind of route has the others. */
interface OperationFacts {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Names of parameters. `api_key` is left out of the document, because a security scheme describes it. */
  readonly parameters?: readonly string[];
  readonly body?: Content;
  /** The bodies of responses without an error, by status. `undefined` means no body. By default an image. */
  readonly successes?: Readonly<Record<number, Content | undefined>>;
}

const makeParameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const statusTexts: Readonly<Record<string, string>> = {
  200: 'The requested document.',
  201: 'Created.',
  202: 'Accepted.',
  302: 'A redirect to the image, with the short form of its record.',
  304: 'Not modified.',
  404: 'Not found.',
};

/** One method of a path. The path has no stage. */
export type Operation = ReturnType<typeof describeOperation>;

function describeOperation(
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  kindName: keyof typeof routeKinds,
  { body, parameters, successes = image, ...texts }: OperationFacts,
) {
  const kind: RouteKind = routeKinds[kindName];
  const keys = kindName === 'page' ? [] : [{ bearerKey: [] }, { headerKey: [] }, { queryKey: [] }];
  const responses = Object.entries(successes).map(([status, content]): [string, ApiResponse] => {
    const description = statusTexts[status] ?? '';
    return [status, { description, headers: listHeaderRefs(kind), ...(content && { content }) }];
  });
  const operation = {
    ...texts,
    ...(kindName === 'keys' && { description: 'With an owner key.' }),
    ...(parameters && { parameters: parameters.filter((name) => name !== 'api_key').map(makeParameterRef) }),
    tags: [kind.tag ?? 'Images'],
    // A list of alternatives: one of them is enough.
    security: [...(kind.worksWithoutKey ? [{}] : []), ...keys],
    ...(body && { requestBody: { required: path !== routes.keySuccessor, content: body } }),
    responses: { ...describeErrors(kind), ...Object.fromEntries(responses) },
  };
  return { method, path, operation };
}

function describePage(path: string, operationId: string, summary: string, mediaType: string) {
  const type = mediaType === 'application/json' ? 'object' : 'string';
  const successes = { 200: { [mediaType]: { schema: { type } } }, 304: undefined };
  return describeOperation('get', path, 'page', { operationId, summary, successes });
}

/** The operations of the API. Preflights are left out. */
export const operations: readonly Operation[] = [
  describeOperation('get', routes.image, 'image', {
    operationId: 'findImage',
    summary: 'Find an image',
    description:
      'Redirects to an image of exactly the requested size; `format=json` returns its record. Counts as one request.',
    parameters: [...pathFormParameters, ...otherParameters],
  }),
  // In OpenAPI, a variable of a path cannot have several segments.
  describeOperation('get', routes.imagePath.replace('+', ''), 'image', {
    operationId: 'findImageByPath',
    summary: 'Find an image by path',
    description: 'The short form for image tags: the path has the size and the words.',
    parameters: ['spec', ...otherParameters],
  }),
  describeOperation('get', routes.permalink, 'permalink', {
    operationId: 'getImage',
    summary: 'Get one AI image by its id',
    description:
      'The permanent URL of an AI image. Only its account sees a private image. Without `width` and `height`, the image has its original size; with one of them, the other follows from its ratio. Counts as one request.',
    parameters: ['id', ...permalinkParameters],
  }),
  describeOperation('post', routes.images, 'batch', {
    operationId: 'findImages',
    summary: 'Find all images of a page',
    description:
      'Returns the record of each slot, or the problem of a slot without an image. If all images of a slot are on the page already, its problem is `duplicate_image` (409). No image appears twice, and none of `exclude` appears. Each image that is found counts as one request.',
    body: makeJsonContent('Batch'),
    successes: { 200: makeJsonContent('BatchResult') },
  }),
  describeOperation('post', routes.pages, 'batch', {
    operationId: 'fillPage',
    summary: 'Repair a page',
    description: `Replaces the placeholders of an HTML page with photos that fit their words. Every other image stays. Returns the page, or JSON with a report if the body or \`Accept\` is JSON. A call fills at most ${pageBounds.imagesMax} images: \`left\` counts the rest, and a call with the returned page goes on. Each image that is found counts as one request; a call that fills nothing costs none.`,
    body: { ...html, ...makeJsonContent('Page') },
    successes: { 200: { ...html, ...makeJsonContent('FilledPage') } },
  }),
  describeOperation('post', routes.mcp, 'mcp', {
    operationId: 'callMcp',
    summary: 'Model Context Protocol',
    description:
      'Streamable HTTP without sessions: a JSON-RPC message gets one message, a notification gets 202. Tools find images, repair pages and build URLs. A refused message gets a JSON-RPC error (400, 403; 404 for a method that revision 2026-07-28 does not know).',
    body: anyJson,
    successes: { 200: anyJson, 202: undefined, 404: anyJson },
  }),
  describeOperation('post', routes.generations, 'openAi', {
    operationId: 'generateImages',
    summary: "Images for clients of OpenAI's API",
    description:
      'The API of OpenAI, with the models `ai`, `stock` and `auto`. OpenAI’s own names mean `ai`. With a signer of the account, `url` is signed for every visitor and does not end. The response has at least one image, and may have fewer than were ordered. Each stock image counts as one request. AI images count as one request together.',
    body: makeJsonContent('OpenAiRequest'),
    successes: { 200: makeJsonContent('OpenAiImages'), 404: makeJsonContent('OpenAiError') },
  }),
  describeOperation('get', routes.models, 'openAi', {
    operationId: 'listModels',
    summary: "The models for clients of OpenAI's API",
    description: 'Free.',
    successes: { 200: anyJson },
  }),
  describeOperation('get', routes.usage, 'usage', {
    operationId: 'getUsage',
    summary: 'Get the usage of your account',
    description: `Free. \`used\` and \`remaining\` are exact. The plans ${writeReportedPlans('by-day')} get breakdowns of charged requests, and the number of free requests. A test key gets its current hour.`,
    successes: { 200: makeJsonContent('Usage') },
  }),
  describeOperation('get', routes.keys, 'keys', {
    operationId: 'listKeys',
    summary: 'List your keys',
    successes: { 200: makeJsonContent('Keys') },
  }),
  describeOperation('post', routes.keys, 'keys', {
    operationId: 'createKey',
    summary: 'Create a key',
    body: makeJsonContent('NewKey'),
    successes: { 201: makeJsonContent('MadeKey') },
  }),
  describeOperation('patch', routes.key, 'keys', {
    operationId: 'renameKey',
    summary: 'Rename a key',
    parameters: ['keyId'],
    body: makeJsonContent('RenamedKey'),
    successes: { 200: makeJsonContent('Key') },
  }),
  describeOperation('delete', routes.key, 'keys', {
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    parameters: ['keyId'],
    successes: { 200: makeJsonContent('Key') },
  }),
  describeOperation('post', routes.keySuccessor, 'keys', {
    operationId: 'rotateKey',
    summary: 'Replace a key',
    parameters: ['keyId'],
    body: makeJsonContent('RotatedKey'),
    successes: { 201: makeJsonContent('MadeKey') },
  }),
  describePage(routes.accountPage, 'getAccountPage', 'Usage and keys of an account', 'text/html'),
  describePage(routes.docs, 'getDocumentation', 'Documentation and playground', 'text/html'),
  describePage(routes.openApi, 'getOpenApi', 'OpenAPI description', 'application/json'),
  describePage(routes.llms, 'getLlmsText', 'Documentation for language models', 'text/plain'),
];
