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
  describeErrors,
  headerRefs,
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
  /** The bodies of answers that are no error, by status; `undefined` for none. */
  readonly answers: Readonly<Record<number, Content | undefined>>;
}

const statusTexts: Readonly<Record<number, string>> = {
  200: 'What was asked for.',
  201: 'Created.',
  202: 'Accepted.',
  302: 'A redirect to the image, with the short form of its record.',
  304: 'Not modified.',
  404: 'Not found.',
};

/** One method of a path. */
export type Operation = ReturnType<typeof describeOperation>;

function describeOperation(kindName: keyof typeof routeKinds, facts: OperationFacts) {
  const { body, answers, ...texts } = facts;
  const kind: RouteKind = routeKinds[kindName];
  const keys = kindName === 'page' ? [] : [{ bearerKey: [] }, { headerKey: [] }, { queryKey: [] }];
  const responses = Object.entries(answers).map(([status, content]): [string, ApiResponse] => [
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
    // These are alternatives.
    security: [...(kind.worksWithoutKey ? [{}] : []), ...keys],
    ...(body && { requestBody: { required: facts.operationId !== 'rotateKey', content: body } }),
    responses: { ...describeErrors(kind), ...Object.fromEntries(responses) },
  };
}

const imageAnswers = { 302: jsonContent('Image'), 200: jsonContent('Record') };

function describePage(operationId: string, summary: string, mediaType: string) {
  const type = mediaType === 'application/json' ? 'object' : 'string';
  const answers = { 200: { [mediaType]: { schema: { type } } }, 304: undefined };
  return { get: describeOperation('page', { operationId, summary, answers }) };
}

const describeKeys = (facts: OperationFacts) =>
  describeOperation('keys', { ...facts, description: 'With an owner key.' });
const keyIdParameter = parameterRefs('keyId');

/** The operations of the documented paths, without the stage and without preflights. */
export const apiPaths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  [routes.image]: {
    get: describeOperation('image', {
      operationId: 'findImage',
      summary: 'Find an image',
      description:
        'Redirects to an image of exactly the requested size; `format=json` returns its record. Counts as one request.',
      parameters: parameterRefs(...pathFormParameters, ...otherParameters),
      answers: imageAnswers,
    }),
  },
  // OpenAPI has no variable of any number of segments.
  [routes.imagePath.replace('+', '')]: {
    get: describeOperation('image', {
      operationId: 'findImageByPath',
      summary: 'Find an image by path',
      description: 'The short form for image tags: size and words in the path, not as parameters.',
      parameters: parameterRefs('spec', ...otherParameters),
      answers: imageAnswers,
    }),
  },
  [routes.permalink]: {
    get: describeOperation('permalink', {
      operationId: 'getImage',
      summary: 'Get one AI image by its id',
      description:
        'The permanent URL of an AI image; a private one is visible to its own account only. Without `width` and `height` it has its original size; with one of them, the other follows from its ratio. Counts as one request.',
      parameters: parameterRefs('id', ...permalinkParameters),
      answers: imageAnswers,
    }),
  },
  [routes.images]: {
    post: describeOperation('batch', {
      operationId: 'findImages',
      summary: 'Find all images of a page',
      description:
        'Returns the record of each slot, or the problem of a slot without an image, such as `duplicate_image` (409) where all its images are on the page already. No image comes twice, and none of `exclude`. Each image that is found counts as one request.',
      body: jsonContent('Batch'),
      answers: { 200: jsonContent('BatchResult') },
    }),
  },
  [routes.pages]: {
    post: describeOperation('batch', {
      operationId: 'fillPage',
      summary: 'Repair a page',
      description: `Replaces the placeholders of an HTML page by photos that fit their words; every other image stays. Returns the page, or JSON with a report where the body or \`Accept\` is JSON. At most ${pageBounds.imagesMax} images a call: \`left\` counts the rest, and a call with the returned page goes on. Each image that is found counts as one request; a call that fills nothing costs none.`,
      body: { ...html, ...jsonContent('Page') },
      answers: { 200: { ...html, ...jsonContent('FilledPage') } },
    }),
  },
  [routes.mcp]: {
    post: describeOperation('mcp', {
      operationId: 'callMcp',
      summary: 'Model Context Protocol',
      description:
        'Streamable HTTP without sessions: one JSON-RPC message in, one out; a notification gets 202. Tools find images, repair pages and build URLs. A refused message gets a JSON-RPC error (400, 403; 404 for a method that revision 2026-07-28 does not know).',
      body: anyJson,
      answers: { 200: anyJson, 202: undefined, 404: anyJson },
    }),
  },
  [routes.generations]: {
    post: describeOperation('openAi', {
      operationId: 'generateImages',
      summary: "Images for clients of OpenAI's API",
      description:
        'As at OpenAI, with the models `ai`, `stock` and `auto`; OpenAI’s own names mean `ai`. `url` is signed for every visitor and does not end. There may be fewer images than were ordered, but one at least. Each stock image counts as one request; AI images count as one together.',
      body: jsonContent('OpenAiOrder'),
      answers: { 200: jsonContent('OpenAiImages'), 404: jsonContent('OpenAiError') },
    }),
  },
  [routes.models]: {
    get: describeOperation('openAi', {
      operationId: 'listModels',
      summary: "The models for clients of OpenAI's API",
      description: 'Free.',
      answers: { 200: anyJson },
    }),
  },
  [routes.usage]: {
    get: describeOperation('usage', {
      operationId: 'getUsage',
      summary: 'Get the usage of your account',
      description:
        'Free. `used` and `remaining` are exact. From the plan pro up, with breakdowns of what was charged; what was free is counted apart. For a test key, its current hour.',
      answers: { 200: jsonContent('Usage') },
    }),
  },
  [routes.keys]: {
    get: describeKeys({
      operationId: 'listKeys',
      summary: 'List your keys',
      answers: { 200: jsonContent('Keys') },
    }),
    post: describeKeys({
      operationId: 'createKey',
      summary: 'Create a key',
      body: jsonContent('NewKey'),
      answers: { 201: jsonContent('MadeKey') },
    }),
  },
  [routes.key]: {
    patch: describeKeys({
      operationId: 'renameKey',
      summary: 'Rename a key',
      parameters: keyIdParameter,
      body: jsonContent('RenamedKey'),
      answers: { 200: jsonContent('Key') },
    }),
    delete: describeKeys({
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      parameters: keyIdParameter,
      answers: { 200: jsonContent('Key') },
    }),
  },
  [routes.keySuccessor]: {
    post: describeKeys({
      operationId: 'rotateKey',
      summary: 'Replace a key',
      parameters: keyIdParameter,
      body: jsonContent('RotatedKey'),
      answers: { 201: jsonContent('MadeKey') },
    }),
  },
  [routes.accountPage]: describePage('getAccountPage', 'Usage of an account', 'text/html'),
  [routes.docs]: describePage('getDocumentation', 'Documentation and playground', 'text/html'),
  [routes.openApi]: describePage('getOpenApi', 'OpenAPI description', 'application/json'),
  [routes.llms]: describePage('getLlmsText', 'Documentation for language models', 'text/plain'),
};
