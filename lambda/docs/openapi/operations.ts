/** The operations of the API: what each takes and answers. */

import { pageBounds } from '../../contract/batch';
import type { HeaderName } from '../../contract/headers';
import {
  type ParameterName,
  parameterNames,
  pathFormParameters,
  permalinkParameters,
} from '../../contract/parameters';
import { routes } from '../../contract/routes';
import { errorRefs, errorsAt, inGroup, type Place, withHeaders } from './errors';
import { schemaRef } from './schemas';
import type { ApiResponse, Content, Operation, Paths, Reference } from './types';

type Names = readonly HeaderName[];

const withParameters = (...names: readonly string[]): readonly Reference[] =>
  names.filter((name) => name !== 'api_key').map((name) => ({ $ref: `#/components/parameters/${name}` }));

const json = (name: string): Content => ({ 'application/json': { schema: schemaRef(name) } });
const anyObject: Content = { 'application/json': { schema: { type: 'object' } } };
const html: Content = { 'text/html': { schema: { type: 'string', contentMediaType: 'text/html' } } };

const always: Names = ['Cache-Control', 'X-Response-Time'];
const answer = (description: string, content?: Content, ...more: Names): ApiResponse => ({
  description,
  headers: withHeaders(...always, ...more),
  ...(content && { content }),
});

const noKey = [{}] as const;
const anyKey = [{ bearerKey: [] }, { headerKey: [] }, { queryKey: [] }] as const;

/** The key is a security scheme, not a parameter. */
const inPath: readonly ParameterName[] = pathFormParameters;
const otherParameters = parameterNames.filter((name) => !inPath.includes(name));

/** What is particular about an operation. */
interface Described extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  readonly tag: 'Images' | 'Account' | 'Documentation';
  /** Where its errors come from. */
  readonly place: Place;
  /** With any API key, unless stated. */
  readonly security?: Operation['security'];
  readonly takes?: Content;
  /** Whether a request may have no body. */
  readonly mayTakeNothing?: true;
  readonly parameters?: readonly Reference[];
  readonly answers: Readonly<Record<string, ApiResponse | Reference>>;
}

const operation = ({
  tag,
  place,
  security = anyKey,
  takes,
  mayTakeNothing,
  answers,
  ...rest
}: Described): Operation => ({
  ...rest,
  tags: [tag],
  security,
  ...(takes && { requestBody: { required: !mayTakeNothing, content: takes } }),
  responses: { ...errorRefs(place), ...answers },
});

const imageHeaders: Names = ['Vary', 'X-Image-Fallback', ...inGroup('image'), ...inGroup('rate')];
/** An image, by parameters, by path or by its id. */
const image = (
  described: Pick<Described, 'operationId' | 'summary' | 'description' | 'place' | 'parameters'>,
) => ({
  get: operation({
    ...described,
    tag: 'Images',
    security: [...noKey, ...anyKey],
    answers: {
      '302': answer(
        'The redirect to the image. Its body is the short form of the record that format=json returns.',
        json('Image'),
        'Location',
        ...imageHeaders,
      ),
      '200': answer('The record of the image, with format=json.', json('Record'), ...imageHeaders),
    },
  }),
});

const page = (operationId: string, summary: string, mediaType: string) => ({
  get: operation({
    operationId,
    summary,
    tag: 'Documentation',
    place: 'page',
    security: noKey,
    answers: {
      '200': answer(
        summary,
        { [mediaType]: { schema: { type: mediaType === 'application/json' ? 'object' : 'string' } } },
        'ETag',
      ),
      '304': answer('Not modified.', undefined, 'ETag'),
    },
  }),
});

/** What the owner of an account does with its credentials, free of charge. */
const ofKeys = (
  operationId: string,
  summary: string,
  answers: Described['answers'],
  more: Pick<Described, 'takes' | 'mayTakeNothing' | 'parameters'> = {},
): Operation =>
  operation({
    ...{ operationId, summary, answers, ...more, tag: 'Account', place: 'keys' },
    description: 'With an owner key of the account.',
  });
const ofKey = { parameters: withParameters('keyId') };

/** With errors in OpenAI's shape; what API Gateway answers by itself stays a problem document. */
const forOpenAi = (described: Omit<Described, 'tag' | 'place'>) => {
  const made = operation({ ...described, tag: 'Images', place: 'batch' });
  return { ...made, responses: { ...errorsAt('batch', json('OpenAiError')), ...described.answers } };
};

/** Every path of the API but preflights, with the path of a route without the stage. */
export const paths: Paths = {
  [routes.image]: image({
    operationId: 'findImage',
    summary: 'Find an image',
    description: 'Redirects to an image of exactly the requested size. Counts as one request.',
    parameters: withParameters(...pathFormParameters, ...otherParameters),
    place: 'image',
  }),
  // OpenAPI has no variable of any number of segments.
  [routes.imagePath.replace('+', '')]: image({
    operationId: 'findImageByPath',
    summary: 'Find an image by path',
    description:
      'The short form for image tags, with size and words in the path. Cannot be combined with query, width and height.',
    parameters: withParameters('spec', ...otherParameters),
    place: 'image',
  }),
  [routes.permalink]: image({
    operationId: 'getImage',
    summary: 'Get one AI image by its id',
    description:
      'The permanent URL of an AI image. Private images are visible to their own account only. Without width and height it has the size in which it was generated; with one of them, the other follows from its ratio. Counts as one request.',
    parameters: withParameters('id', ...permalinkParameters),
    place: 'permalink',
  }),
  [routes.images]: {
    post: operation({
      operationId: 'findImages',
      summary: 'Find all images of a page',
      description:
        'Returns the record of each image by slot, or the problem of a slot without an image; no image twice, and none of exclude. Each image that is found counts as one request.',
      tag: 'Images',
      place: 'batch',
      takes: json('Batch'),
      answers: {
        '200': answer(
          'The record of each slot, or the problem of a slot without an image, such as `duplicate_image` (409) where all its images are on the page already.',
          json('BatchResult'),
          ...inGroup('rate'),
        ),
      },
    }),
  },
  [routes.pages]: {
    post: operation({
      operationId: 'fillPage',
      summary: 'Repair a page',
      description: `Replaces the placeholders of an HTML page by photos that fit the words which stand with them; every other image stays. At most ${pageBounds.imagesMax} images a call: the rest is counted in left, and the same call with the page that was returned goes on. Each image that is found counts as one request; a call that fills nothing, as a delivery that is free.`,
      tag: 'Images',
      place: 'html',
      takes: { ...html, ...json('Page') },
      answers: {
        '200': answer(
          'The filled page; with the report where `Accept` names JSON.',
          { ...html, ...json('FilledPage') },
          ...inGroup('rate'),
        ),
      },
    }),
  },
  [routes.mcp]: {
    post: operation({
      operationId: 'callMcp',
      summary: 'Model Context Protocol',
      description:
        'Streamable HTTP without sessions: one JSON-RPC message in, one out. Tools find images, repair pages and build image URLs. A message that its specification refuses is answered with a JSON-RPC error (400, 403, 404).',
      tag: 'Images',
      place: 'mcp',
      security: [...noKey, ...anyKey],
      takes: anyObject,
      answers: {
        ...errorsAt('mcp', anyObject),
        '200': answer('The JSON-RPC response.', anyObject),
        '202': answer('A notification was accepted.'),
        '404': answer('Revision 2026-07-28: the method is unknown.', anyObject),
      },
    }),
  },
  '/v1/images/generations': {
    post: forOpenAi({
      operationId: 'generateImages',
      summary: "Images for clients of OpenAI's API",
      description:
        'As OpenAI describes it, with the models ai, stock and auto; the names of OpenAI’s own image models mean ai. url is signed for every visitor and does not end. Stock images count as one request each; AI images as one together, since those after the first are variations.',
      takes: json('OpenAiOrder'),
      answers: {
        '200': answer('The images that there are, at least one.', json('OpenAiImages'), ...inGroup('rate')),
        '404': answer('The model does not exist, or no image was found.', json('OpenAiError')),
      },
    }),
  },
  '/v1/models': {
    get: forOpenAi({
      operationId: 'listModels',
      summary: "The models for clients of OpenAI's API",
      description: 'Free of charge.',
      answers: { '200': answer('The models.', anyObject) },
    }),
  },
  [routes.usage]: {
    get: operation({
      operationId: 'getUsage',
      summary: 'Get the usage of your account',
      description:
        'Free of charge. used and remaining are exact. Plans pro and up include breakdowns of what was charged; what was free is counted apart. For a test key, the usage of its current hour.',
      tag: 'Account',
      place: 'usage',
      answers: { '200': answer('The usage of the account.', json('Usage'), 'Vary', ...inGroup('rate')) },
    }),
  },
  [routes.keys]: {
    get: ofKeys('listKeys', 'List your keys', {
      '200': answer('The credentials of the account, without what is secret.', json('Keys'), 'Vary'),
    }),
    post: ofKeys(
      'createKey',
      'Create a key',
      { '201': answer('The new credential and its secret.', json('MadeKey')) },
      { takes: json('NewKey') },
    ),
  },
  [routes.key]: {
    patch: ofKeys(
      'renameKey',
      'Rename a key',
      { '200': answer('The credential.', json('Key')) },
      { ...ofKey, takes: json('RenamedKey') },
    ),
    delete: ofKeys(
      'revokeKey',
      'Revoke a key',
      { '200': answer('The credential, which has ended.', json('Key')) },
      ofKey,
    ),
  },
  [routes.keySuccessor]: {
    post: ofKeys(
      'rotateKey',
      'Replace a key',
      { '201': answer('Its successor and the secret.', json('MadeKey')) },
      { ...ofKey, takes: json('RotatedKey'), mayTakeNothing: true },
    ),
  },
  [routes.accountPage]: page('getAccountPage', 'Usage of an account', 'text/html'),
  [routes.docs]: page('getDocumentation', 'Documentation and playground', 'text/html'),
  [routes.openApi]: page('getOpenApi', 'OpenAPI description', 'application/json'),
  [routes.llms]: page('getLlmsText', 'Documentation for language models', 'text/plain'),
};
