/** The operations of the API: every route with every method, their parameters, headers and responses. */

import { pageBounds } from '../../contract/batch';
import { type HeaderName, headerTexts } from '../../contract/headers';
import {
  type ParameterName,
  parameterNames,
  parameterTexts,
  pathFormParameters,
  permalinkParameters,
  refusedCharacters,
  sidePattern,
  wordlessCharacters,
} from '../../contract/parameters';
import { queryCharactersMax } from '../../contract/request-bounds';
import { routes } from '../../contract/routes';
import { testValuesText } from '../../contract/test-values';
import { type GatewayResponse, gatewayResponses, gatewayStatus } from '../../http/gateway-responses';
import { type ProblemCode, type ProblemPlace, problems } from '../../problems/problem';
import { schemaOf } from '../../requests/json-schema';
import { codesAt, problemOf, schemaRef } from './schemas';
import type { ApiResponse, Header, Operation, Parameter, PathItem, Reference } from './types';

type Names = readonly HeaderName[];
const headersOf = (group: 'image' | 'rate'): Names =>
  (Object.keys(headerTexts) as HeaderName[]).filter((name) => headerTexts[name].group === group);
const imageHeaders = headersOf('image');
const rateHeaders = headersOf('rate');

/** Suffix of the components for headers that a response may lack, such as rate limit headers on an error. */
const optional = '.optional';
/** Headers that responses other than one with an image may have. */
const onRefusals: Names = [...rateHeaders, 'Retry-After', 'WWW-Authenticate'];
/** Headers that refusals of images alone may have. */
const onImageRefusals: Names = ['X-Image-Fallback', 'X-Image-Note'];
/** Headers that some response may lack. */
const notAlways: Names = [...onRefusals, ...onImageRefusals, 'X-Image-Attribution'];

/** All headers, by the names that references use. */
export const headerComponents: Readonly<Record<string, Header>> = Object.fromEntries(
  (Object.keys(headerTexts) as HeaderName[]).flatMap((name) => {
    const { description, schema = { type: 'string' }, required, group } = headerTexts[name];
    const always = [name, { description, ...(required && { required }), schema }] as const;
    const sometimes = [`${name}${optional}`, { description, schema }] as const;
    if (!notAlways.includes(name)) return [always];
    return group === undefined ? [sometimes] : [always, sometimes];
  }),
);

/** References to headers, for a response. */
function withHeaders(names: Names, optionalNames: Names = []): ApiResponse['headers'] & object {
  const refs = [
    ...names.map((name) => [name, name] as const),
    ...optionalNames.map((name) => [name, `${name}${optional}`] as const),
  ];
  return Object.fromEntries(refs.map(([name, to]) => [name, { $ref: `#/components/headers/${to}` }]));
}

/** One query parameter. */
function queryParameter(name: ParameterName): Parameter {
  const { purpose, example } = parameterTexts[name];
  return {
    name,
    in: 'query',
    description: name === 'query' ? `${purpose} ${testValuesText()}` : purpose,
    ...(name === 'query' ? { required: true } : {}),
    schema: schemaOf(name),
    ...(example === undefined ? {} : { example }),
  };
}

/** An extension at the end of a path, in either case: alone, it is no word. */
const onlyExtension =
  '\\.(?:[jJ][pP][eE]?[gG]|[wW][eE][bB][pP]|[aA][vV][iI][fF]|[pP][nN][gG]|[gG][iI][fF]|[sS][vV][gG]|[bB][mM][pP]|[tT][iI][fF])$';

/** The segment of the path form. */
const specParameter: Parameter = {
  name: 'spec',
  in: 'path',
  required: true,
  description:
    'Width, height and words as `{width}x{height}-{words}`; words are separated by `-`, `_`, `+`, `/` or an encoded space. An extension at the end is no word: `.jpg`, `.jpeg`, `.webp` and `.avif` name the format of images that the service makes itself, and `.png`, `.gif`, `.svg`, `.bmp` and `.tif`, which are not made, leave the choice to the `Accept` header.',
  schema: {
    type: 'string',
    pattern: `^${sidePattern}x${sidePattern}[-_+ /]+(?!${onlyExtension})[^${wordlessCharacters}+/${refusedCharacters}][^${refusedCharacters}]{0,${queryCharactersMax - 1}}$`,
  },
  example: '1200x800-mountain-lake',
};

/** The segment of a permalink. */
const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of an AI image, as returned in `X-Image-Id` and `imageId`.',
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  example: '0123456789abcdef0123456789abcdef',
};

/** All parameters, by the names that references use. The key is a security scheme. */
export const parameterComponents: Readonly<Record<string, Parameter>> = {
  spec: specParameter,
  id: idParameter,
  keyId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of a key, a signer or a site key.',
    schema: { type: 'string' },
  },
  // A preflight succeeds for any segment.
  anySpec: { ...specParameter, schema: { type: 'string' } },
  anyId: { ...idParameter, schema: { type: 'string' } },
  ...Object.fromEntries(
    parameterNames.filter((name) => name !== 'api_key').map((name) => [name, queryParameter(name)]),
  ),
};

type OtherParameterName = 'spec' | 'id' | 'anySpec' | 'anyId' | 'keyId';

/** References to parameters, for an operation. */
function withParameters(
  ...names: readonly (Exclude<ParameterName, 'api_key'> | OtherParameterName)[]
): readonly Reference[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

type Responses = Readonly<Record<string, ApiResponse>>;
type Bodies = NonNullable<ApiResponse['content']>;

const schema = (name: string) => ({ schema: schemaRef(name) });
const json = (name: string) => ({ 'application/json': schema(name) });
const anyObject = { 'application/json': { schema: { type: 'object' } } };
const media = (type: string) => ({ [type]: { schema: { type: 'string', contentMediaType: type } } });

/** The answer with status 200. */
const ok = (
  description: string,
  content: Bodies,
  names: Names = ['Cache-Control', 'X-Response-Time'],
  optionalNames: Names = [],
): Responses => ({ '200': { description, headers: withHeaders(names, optionalNames), content } });

/** As `ok`, with the rate limit status, which visitors of an account's pages are not given. */
const charged = (description: string, content: Bodies) => ok(description, content, undefined, rateHeaders);

/** @param absent headers that may be absent too */
const onImages = (...absent: Names) =>
  withHeaders(
    [...imageHeaders.filter((name) => !absent.includes(name)), 'Cache-Control', 'X-Response-Time'],
    [...absent, ...rateHeaders, 'X-Image-Fallback'],
  );

const imageResponses: Responses = {
  '302': {
    description:
      'The redirect to the image. Its body is the short form of the record that format=json returns.',
    headers: { ...withHeaders(['Location', 'Vary']), ...onImages() },
    content: json('Image'),
  },
  '200': {
    description: 'The record of the image, with format=json.',
    headers: { ...withHeaders(['Vary']), ...onImages('X-Image-Attribution') },
    content: json('Record'),
  },
};

const mcpResponses: Responses = {
  ...ok('The JSON-RPC response.', anyObject),
  '202': {
    description: 'A notification was accepted.',
    headers: withHeaders(['Cache-Control', 'X-Response-Time']),
  },
};

/** Callers are refused by a problem, messages by the JSON-RPC error that the protocol's specification gives. */
function mcpRefusals(): Responses {
  const problems = problemResponses('mcp', false);
  const about = {
    '400': 'The message is malformed, or its revision of the protocol is unknown.',
    '403': 'The Origin is neither that of the service nor of a page on this machine.',
    '404': 'Revision 2026-07-28: the method is unknown.',
  };
  const refusals = Object.entries(about).map(([status, said]) => {
    const { description = '', content, ...rest } = problems[status] ?? {};
    const both = { ...anyObject, ...content };
    return [status, { ...rest, description: `${said} ${description}`.trim(), content: both }] as const;
  });
  return { ...problems, ...Object.fromEntries(refusals) };
}

/** Error responses of a kind of route by status: those of the function and those of API Gateway itself. */
function problemResponses(
  place: Exclude<ProblemPlace, 'slot'>,
  hasCards: boolean,
  more: readonly ProblemCode[] = [],
): Responses {
  const codes = [...codesAt(place), ...more];
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

const card = { type: 'string', description: 'An error card of the requested size, for image tags.' };
const smallCard = {
  type: 'string',
  format: 'binary',
  description: 'A small error card, for clients that show images but no SVG.',
};

function problemResponse(codes: readonly ProblemCode[], hasCards: boolean): ApiResponse {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: withHeaders([], hasCards ? [...onRefusals, ...onImageRefusals] : onRefusals),
    content: {
      'application/problem+json': { schema: problemOf(codes) },
      ...(hasCards && { 'image/svg+xml': { schema: card }, 'image/png': { schema: smallCard } }),
    },
  };
}

/** The same responses without their bodies, for HEAD. */
function withoutBodies(responses: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content: _, ...rest }]) => [status, rest]),
  );
}

const noKey = [{}] as const;
const anyKey = [{ bearerKey: [] }, { headerKey: [] }, { queryKey: [] }] as const;

/** The key is a security scheme, not a parameter. */
const isNoKey = <N extends ParameterName>(name: N): name is Exclude<N, 'api_key'> => name !== 'api_key';
const inPath: readonly ParameterName[] = pathFormParameters;
const otherParameters = parameterNames.filter(isNoKey).filter((name) => !inPath.includes(name));

/** What is particular about an operation. */
interface Described extends Omit<Operation, 'tags' | 'security' | 'requestBody'> {
  readonly tag: 'Images' | 'Account' | 'Documentation';
  /** Where its errors come from. */
  readonly place: Exclude<ProblemPlace, 'slot'>;
  /** With any API key, unless stated. */
  readonly security?: Operation['security'];
  readonly takes?: Bodies;
  /** Errors that no other operation of its place has. */
  readonly more?: readonly ProblemCode[];
}

/** An operation with its tag, its body and the errors of its place. */
function operation({ tag, place, security = anyKey, takes, responses, more, ...rest }: Described): Operation {
  const errors = place === 'mcp' ? mcpRefusals() : problemResponses(place, imagePlaces.includes(place), more);
  return {
    ...rest,
    tags: [tag],
    security,
    ...(takes && { requestBody: { required: true, content: takes } }),
    responses: { ...responses, ...errors },
  };
}

/** Where an error may be a card. */
const imagePlaces: readonly ProblemPlace[] = ['image', 'permalink'];

/** GET as described, HEAD as GET without bodies, and the preflight. */
function getItem(described: Described, segment?: 'anySpec' | 'anyId'): PathItem {
  const get = operation(described);
  return {
    get,
    head: {
      ...get,
      operationId: `${get.operationId}Head`,
      summary: `${get.summary} (headers only)`,
      responses: withoutBodies(get.responses),
    },
    options: preflightOf(described, segment),
  };
}

/** POST as described, and the preflight. */
function postItem(described: Described): PathItem {
  return { post: operation(described), options: preflightOf(described) };
}

function preflightOf({ operationId, tag }: Described, segment?: 'anySpec' | 'anyId' | 'keyId'): Operation {
  return operation({
    operationId: `${operationId}Preflight`,
    summary: 'CORS preflight',
    tag,
    place: 'preflight',
    security: noKey,
    ...(segment === undefined ? {} : { parameters: withParameters(segment) }),
    responses: {
      '204': {
        description: 'The methods and headers that other origins may use.',
        headers: withHeaders(['Allow']),
      },
    },
  });
}

/** A cacheable page. */
function pageItem(operationId: string, summary: string, mediaType: string): PathItem {
  const type = mediaType === 'application/json' ? 'object' : 'string';
  return getItem({
    operationId,
    summary,
    tag: 'Documentation',
    place: 'page',
    security: noKey,
    responses: {
      ...ok(summary, { [mediaType]: { schema: { type } } }, ['ETag', 'Cache-Control']),
      '304': { description: 'Not modified.', headers: withHeaders(['ETag', 'Cache-Control']) },
    },
  });
}

/** A report about the account, free of charge. */
const accountItem = (
  described: Omit<Described, 'tag' | 'place' | 'responses'>,
  answer: string,
  name: string,
  limits: Names = [],
): PathItem =>
  getItem({
    ...described,
    tag: 'Account',
    place: 'usage',
    responses: ok(answer, json(name), [...limits, 'Cache-Control', 'Vary', 'X-Response-Time']),
  });

/** What the owner of an account does with its credentials, free of charge. */
function ofKeys(
  operationId: string,
  summary: string,
  status: string,
  description: string,
  content: Bodies,
  ...parameters: readonly 'keyId'[]
): Described {
  const headers = withHeaders(['Cache-Control', 'X-Response-Time']);
  return {
    operationId,
    summary,
    description: 'With an owner key of the account.',
    tag: 'Account',
    place: 'keys',
    ...(parameters.length > 0 && { parameters: withParameters(...parameters) }),
    responses: { [status]: { description, headers, content } },
  };
}

/** The same with errors in OpenAI's shape; what API Gateway answers by itself stays a problem document. @param missing what 404 says */
function withOpenAiErrors(item: PathItem, missing?: string): PathItem {
  const shaped = (response: ApiResponse) => ({
    ...response,
    ...(response.content && { content: { ...response.content, ...json('OpenAiError') } }),
  });
  const operations = Object.entries(item).map(([method, each]) => {
    const { responses } = each as Operation;
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    const notFound = missing &&
      method !== 'options' && { '404': { description: missing, content: json('OpenAiError') } };
    const shapes = Object.fromEntries(errors.map(([status, response]) => [status, shaped(response)]));
    return [method, { ...each, responses: { ...responses, ...shapes, ...notFound } }];
  });
  return Object.fromEntries(operations) as PathItem;
}

/** The images of a query, by parameters or by path. */
const forImages = { tag: 'Images', security: [...noKey, ...anyKey], responses: imageResponses } as const;

/** Every path of the API with what each method takes and answers; the path of a route without the stage. */
export const paths: Readonly<Record<string, PathItem>> = {
  [routes.image]: getItem({
    ...forImages,
    operationId: 'findImage',
    summary: 'Find an image',
    description: 'Redirects to an image of exactly the requested size. Counts as one request.',
    parameters: withParameters(...pathFormParameters, ...otherParameters),
    place: 'image',
  }),
  // OpenAPI has no variable of any number of segments.
  [routes.imagePath.replace('+', '')]: getItem(
    {
      ...forImages,
      operationId: 'findImageByPath',
      summary: 'Find an image by path',
      description:
        'The short form for image tags, with size and words in the path. Cannot be combined with query, width and height.',
      parameters: withParameters('spec', ...otherParameters),
      place: 'image',
    },
    'anySpec',
  ),
  [routes.permalink]: getItem(
    {
      ...forImages,
      operationId: 'getImage',
      summary: 'Get one AI image by its id',
      description:
        'The permanent URL of an AI image. Private images are visible to their own account only. Without width and height it has the size in which it was generated; with one of them, the other follows from its ratio. Counts as one request.',
      parameters: withParameters('id', ...permalinkParameters.filter(isNoKey)),
      place: 'permalink',
    },
    'anyId',
  ),
  [routes.images]: postItem({
    operationId: 'findImages',
    summary: 'Find all images of a page',
    description:
      'Returns the record of each image by slot, or the problem of a slot without an image; no image twice, and none of exclude. Each image that is found counts as one request.',
    tag: 'Images',
    place: 'batch',
    takes: json('Batch'),
    responses: charged(
      'The record of each slot, or the problem of a slot without an image, such as `duplicate_image` (409) where all its images are on the page already.',
      json('BatchResult'),
    ),
  }),
  [routes.pages]: postItem({
    operationId: 'fillPage',
    summary: 'Repair a page',
    description: `Replaces the placeholders of an HTML page by photos that fit the words which stand with them; every other image stays. At most ${pageBounds.imagesMax} images a call: the rest is counted in left, and the same call with the page that was returned goes on. Each image that is found counts as one request; a call that fills nothing, as a delivery that is free.`,
    tag: 'Images',
    place: 'html',
    takes: { ...media('text/html'), ...json('Page') },
    responses: charged('The filled page; with the report where `Accept` names JSON.', {
      ...media('text/html'),
      ...json('FilledPage'),
    }),
  }),
  [routes.mcp]: postItem({
    operationId: 'callMcp',
    summary: 'Model Context Protocol',
    description:
      'Streamable HTTP without sessions: one JSON-RPC message in, one out. Tools find images, repair pages and build image URLs.',
    tag: 'Images',
    place: 'mcp',
    security: [...noKey, ...anyKey],
    takes: anyObject,
    responses: mcpResponses,
  }),
  '/v1/images/generations': withOpenAiErrors(
    postItem({
      operationId: 'generateImages',
      summary: "Images for clients of OpenAI's API",
      description:
        'As OpenAI describes it, with the models ai, stock and auto; the names of OpenAI’s own image models mean ai. url is signed for every visitor and does not end. Stock images count as one request each; AI images as one together, since those after the first are variations.',
      tag: 'Images',
      place: 'batch',
      takes: json('OpenAiOrder'),
      responses: charged('The images that there are, at least one.', json('OpenAiImages')),
    }),
    'The model does not exist, or no image was found.',
  ),
  '/v1/models': withOpenAiErrors(
    getItem({
      operationId: 'listModels',
      summary: "The models for clients of OpenAI's API",
      description: 'Free of charge.',
      tag: 'Images',
      place: 'batch',
      responses: ok('The models.', anyObject),
    }),
  ),
  [routes.usage]: accountItem(
    {
      operationId: 'getUsage',
      summary: 'Get the usage of your account',
      description:
        'Free of charge. used and remaining are exact. Plans pro and up include breakdowns of what was charged; what was free is counted apart. For a test key, the usage of its current hour.',
    },
    'The usage of the account.',
    'Usage',
    rateHeaders,
  ),
  [routes.keys]: {
    ...getItem(
      ofKeys('listKeys', 'List your keys', '200', 'The credentials of the account, without what is secret.', {
        'application/json': {
          schema: { type: 'object', properties: { keys: { type: 'array', items: schemaRef('Key') } } },
        },
      }),
    ),
    post: operation({
      ...ofKeys('createKey', 'Create a key', '201', 'The new credential and its secret.', json('MadeKey')),
      takes: json('NewKey'),
      more: ['unsupported_media_type', 'too_many_keys'],
    }),
  },
  [routes.key]: {
    patch: operation({
      ...ofKeys('renameKey', 'Rename a key', '200', 'The credential.', json('Key'), 'keyId'),
      takes: json('RenamedKey'),
      more: ['not_found', 'unsupported_media_type'],
    }),
    delete: operation({
      ...ofKeys('revokeKey', 'Revoke a key', '200', 'The credential, which has ended.', json('Key'), 'keyId'),
      more: ['not_found', 'last_owner'],
    }),
    options: preflightOf(ofKeys('changeKey', '', '204', '', {}), 'keyId'),
  },
  [routes.keySuccessor]: {
    post: operation({
      ...ofKeys(
        'rotateKey',
        'Replace a key',
        '201',
        'Its successor and the secret.',
        json('MadeKey'),
        'keyId',
      ),
      takes: json('RotatedKey'),
      more: ['not_found', 'unsupported_media_type', 'too_many_keys'],
    }),
    options: preflightOf(ofKeys('rotateKey', '', '204', '', {}), 'keyId'),
  },
  [routes.accountPage]: pageItem('getAccountPage', 'Usage of an account', 'text/html'),
  [routes.docs]: pageItem('getDocumentation', 'Documentation and playground', 'text/html'),
  [routes.openApi]: pageItem('getOpenApi', 'OpenAPI description', 'application/json'),
  [routes.llms]: pageItem('getLlmsText', 'Documentation for language models', 'text/plain'),
};
