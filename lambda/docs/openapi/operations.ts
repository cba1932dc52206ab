/** Describes the operations of the API: what each takes and answers. */

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
  errorsOf,
  headersOf,
  jsonContent,
  type RouteKind,
  routeKinds,
} from './errors';

const html: Content = { 'text/html': { schema: { type: 'string', contentMediaType: 'text/html' } } };

/** Refers to parameters; the key is a security scheme in their place. */
const parameterRefs = (...names: readonly string[]) =>
  names.filter((name) => name !== 'api_key').map((name) => ({ $ref: `#/components/parameters/${name}` }));
const inPath: readonly ParameterName[] = pathFormParameters;
const otherParameters = parameterNames.filter((name) => !inPath.includes(name));

/** The facts in which an operation differs from others. */
interface OperationFacts {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly body?: Content;
  /** Answers that are no error, by status. */
  readonly answers: Readonly<Record<number, readonly [description: string, content?: Content]>>;
}

/** One method of a path. */
export type Operation = ReturnType<typeof operation>;

function operation(kindName: keyof typeof routeKinds, facts: OperationFacts) {
  const { body, answers, ...others } = facts;
  const kind: RouteKind = routeKinds[kindName];
  const keys = kindName === 'page' ? [] : [{ bearerKey: [] }, { headerKey: [] }, { queryKey: [] }];
  // The entries of `security` are alternatives.
  const responses = Object.entries(answers).map(([status, [description, content]]): [string, ApiResponse] => [
    status,
    { description, headers: headersOf(kind), ...(content && { content }) },
  ]);
  return {
    ...others,
    tags: [kind.tag ?? 'Images'],
    security: [...(kind.worksWithoutKey ? [{}] : []), ...keys],
    ...(body && { requestBody: { required: facts.operationId !== 'rotateKey', content: body } }),
    responses: { ...errorsOf(kind), ...Object.fromEntries(responses) },
  };
}

function imageOperation(kind: 'image' | 'permalink', facts: Omit<OperationFacts, 'answers'>) {
  const redirect =
    'The redirect to the image. Its body is the short form of the record that format=json returns.';
  const answers = {
    302: [redirect, jsonContent('Image')],
    200: ['The record of the image, with format=json.', jsonContent('Record')],
  } as const;
  return { get: operation(kind, { ...facts, answers }) };
}

function pageOperation(operationId: string, summary: string, mediaType: string) {
  const type = mediaType === 'application/json' ? 'object' : 'string';
  const answers = {
    200: [summary, { [mediaType]: { schema: { type } } }],
    304: ['Not modified.'],
  } as const;
  return { get: operation('page', { operationId, summary, answers }) };
}

const keysOperation = (facts: OperationFacts) =>
  operation('keys', { ...facts, description: 'With an owner key.' });
const keyIdParameter = parameterRefs('keyId');

/** Every path of the API but preflights, with the path of a route without the stage. */
export const apiPaths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  [routes.image]: imageOperation('image', {
    operationId: 'findImage',
    summary: 'Find an image',
    description: 'Redirects to an image of exactly the requested size. Counts as one request.',
    parameters: parameterRefs(...pathFormParameters, ...otherParameters),
  }),
  // OpenAPI has no variable of any number of segments.
  [routes.imagePath.replace('+', '')]: imageOperation('image', {
    operationId: 'findImageByPath',
    summary: 'Find an image by path',
    description: 'The short form for image tags: size and words in the path, not as parameters.',
    parameters: parameterRefs('spec', ...otherParameters),
  }),
  [routes.permalink]: imageOperation('permalink', {
    operationId: 'getImage',
    summary: 'Get one AI image by its id',
    description:
      'The permanent URL of an AI image; a private one is visible to its own account only. Without `width` and `height` it has its original size; with one of them, the other follows from its ratio. Counts as one request.',
    parameters: parameterRefs('id', ...permalinkParameters),
  }),
  [routes.images]: {
    post: operation('batch', {
      operationId: 'findImages',
      summary: 'Find all images of a page',
      description:
        'Returns a record or a problem for each slot; no image twice, and none of `exclude`. Each image that is found counts as one request.',
      body: jsonContent('Batch'),
      answers: {
        200: [
          'The record of each slot, or the problem of a slot without an image, such as `duplicate_image` (409) where all its images are on the page already.',
          jsonContent('BatchResult'),
        ],
      },
    }),
  },
  [routes.pages]: {
    post: operation('batch', {
      operationId: 'fillPage',
      summary: 'Repair a page',
      description: `Replaces the placeholders of an HTML page by photos that fit their words; every other image stays. At most ${pageBounds.imagesMax} images a call: \`left\` counts the rest, and a call with the returned page goes on. Each image that is found counts as one request; a call that fills nothing costs none.`,
      body: { ...html, ...jsonContent('Page') },
      answers: {
        200: [
          'A page as text/html; with its report as JSON where the body or `Accept` is JSON.',
          { ...html, ...jsonContent('FilledPage') },
        ],
      },
    }),
  },
  [routes.mcp]: {
    post: operation('mcp', {
      operationId: 'callMcp',
      summary: 'Model Context Protocol',
      description:
        'Streamable HTTP without sessions: one JSON-RPC message in, one out. Tools find images, repair pages and build URLs. A refused message gets a JSON-RPC error (400, 403, 404).',
      body: anyJson,
      answers: {
        200: ['The JSON-RPC response.', anyJson],
        202: ['A notification was accepted.'],
        404: ['Revision 2026-07-28: the method is unknown.', anyJson],
      },
    }),
  },
  [routes.generations]: {
    post: operation('openAi', {
      operationId: 'generateImages',
      summary: "Images for clients of OpenAI's API",
      description:
        'As at OpenAI, with the models `ai`, `stock` and `auto`; OpenAI’s own names mean `ai`. `url` is signed for every visitor and does not end. Each stock image counts as one request; AI images count as one together.',
      body: jsonContent('OpenAiOrder'),
      answers: {
        200: ['The images that there are, at least one.', jsonContent('OpenAiImages')],
        404: ['The model does not exist, or no image was found.', jsonContent('OpenAiError')],
      },
    }),
  },
  [routes.models]: {
    get: operation('openAi', {
      operationId: 'listModels',
      summary: "The models for clients of OpenAI's API",
      description: 'Free.',
      answers: { 200: ['The models.', anyJson] },
    }),
  },
  [routes.usage]: {
    get: operation('usage', {
      operationId: 'getUsage',
      summary: 'Get the usage of your account',
      description:
        'Free. `used` and `remaining` are exact. From the plan pro up, with breakdowns of what was charged; what was free is counted apart. For a test key, its current hour.',
      answers: { 200: ['The usage of the account.', jsonContent('Usage')] },
    }),
  },
  [routes.keys]: {
    get: keysOperation({
      operationId: 'listKeys',
      summary: 'List your keys',
      answers: { 200: ['The credentials of the account, without what is secret.', jsonContent('Keys')] },
    }),
    post: keysOperation({
      operationId: 'createKey',
      summary: 'Create a key',
      body: jsonContent('NewKey'),
      answers: { 201: ['The new credential and its secret.', jsonContent('MadeKey')] },
    }),
  },
  [routes.key]: {
    patch: keysOperation({
      operationId: 'renameKey',
      summary: 'Rename a key',
      parameters: keyIdParameter,
      body: jsonContent('RenamedKey'),
      answers: { 200: ['The credential.', jsonContent('Key')] },
    }),
    delete: keysOperation({
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      parameters: keyIdParameter,
      answers: { 200: ['The credential, which has ended.', jsonContent('Key')] },
    }),
  },
  [routes.keySuccessor]: {
    post: keysOperation({
      operationId: 'rotateKey',
      summary: 'Replace a key',
      parameters: keyIdParameter,
      body: jsonContent('RotatedKey'),
      answers: { 201: ['Its successor and the secret.', jsonContent('MadeKey')] },
    }),
  },
  [routes.accountPage]: pageOperation('getAccountPage', 'Usage of an account', 'text/html'),
  [routes.docs]: pageOperation('getDocumentation', 'Documentation and playground', 'text/html'),
  [routes.openApi]: pageOperation('getOpenApi', 'OpenAPI description', 'application/json'),
  [routes.llms]: pageOperation('getLlmsText', 'Documentation for language models', 'text/plain'),
};
