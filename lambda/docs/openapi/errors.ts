/** The errors of each kind of route, from the function or from API Gateway itself, and the headers of responses. */

import { type HeaderName, headerTexts } from '../../contract/headers';
import { type ProblemCode, problems } from '../../problems/problem';
import type { JsonSchema } from '../../requests/json-schema';
import type { ApiResponse, Content, Reference } from './types';

/** What comes on every operation, from the function or from API Gateway itself. */
const everywhere = ['rate_limited', 'service_unavailable', 'internal_error'] as const;
const onRoutes = [...everywhere, 'invalid_parameter', 'content_too_large'] as const;
const withKeys = [...onRoutes, 'conflicting_parameters', 'invalid_api_key'] as const;
const withBody = [...withKeys, 'unsupported_media_type'] as const;
const ofImages = [
  ...['image_removed', 'quota_exceeded', 'upstream_unavailable', 'generation_in_progress'],
  ...['no_image_found', 'content_refused', 'generation_paused'],
] as ProblemCode[];
const onPages = [
  ...withKeys,
  ...ofImages,
  'invalid_signature',
  'invalid_site_key',
  'origin_not_allowed',
] as const;

/** The problem codes of each kind of route, and of one slot of a batch. */
const codesByPlace = {
  image: [...onPages, 'authentication_required', 'link_expired'],
  permalink: [...onPages, 'not_found', 'credential_not_allowed'],
  batch: [...withBody, 'authentication_required'],
  slot: [...everywhere, ...ofImages, 'duplicate_image'],
  html: [...withBody, 'authentication_required'],
  mcp: [...withBody, 'credential_not_allowed'],
  usage: [...withKeys, 'authentication_required'],
  keys: [
    ...[...withBody, 'authentication_required', 'not_found', 'origin_not_allowed'],
    ...['credential_not_allowed', 'last_owner', 'too_many_keys'],
  ] as ProblemCode[],
  page: onRoutes,
} as const satisfies Readonly<Record<string, readonly ProblemCode[]>>;

type ProblemPlace = keyof typeof codesByPlace;

/** The problem codes that callers can meet at one place of the API, in the order of the table of errors. */
export function codesAt(place: ProblemPlace): readonly ProblemCode[] {
  const codes: readonly ProblemCode[] = codesByPlace[place];
  return (Object.keys(problems) as ProblemCode[]).filter((code) => codes.includes(code));
}

/** A problem document with one of these codes. */
export const problemOf = (codes: readonly ProblemCode[]): JsonSchema => ({
  allOf: [
    { $ref: '#/components/schemas/Problem' },
    { type: 'object', properties: { code: { type: 'string', enum: codes } } },
  ],
});

/** Where an error may be a card. */
const imagePlaces: readonly ProblemPlace[] = ['image', 'permalink'];
const card = { type: 'string', description: 'An error card of the requested size, for image tags.' };
const smallCard = { ...card, format: 'binary', description: 'A small card, for clients that show no SVG.' };

/** The headers of every answer with an image, or of those of charged routes. */
export const inGroup = (group: 'image' | 'rate'): readonly HeaderName[] =>
  (Object.keys(headerTexts) as HeaderName[]).filter((name) => headerTexts[name].group === group);

/** References to headers, for a response. */
export const withHeaders = (...names: readonly HeaderName[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The errors at a place, by status. @param content bodies that they may have beside a problem document */
export function errorsAt(place: Place, content: Content = {}): Readonly<Record<string, ApiResponse>> {
  const codes = codesAt(place);
  const hasCards = imagePlaces.includes(place);
  const cards: Content = hasCards
    ? { 'image/svg+xml': { schema: card }, 'image/png': { schema: smallCard } }
    : {};
  const headers = withHeaders(
    ...[...inGroup('rate'), 'Retry-After' as const, 'WWW-Authenticate' as const],
    ...(hasCards ? (['X-Image-Fallback', 'X-Image-Note'] as const) : []),
  );
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const met = codes.filter((code) => problems[code].status === status);
      return [
        status,
        {
          description: met.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
          headers,
          content: { 'application/problem+json': { schema: problemOf(met) }, ...cards, ...content },
        },
      ];
    }),
  );
}

/** A place whose operations can fail. */
export type Place = Exclude<ProblemPlace, 'slot'>;
/** Those of the protocol for models stand with its one operation, as they may be errors of the protocol too. */
const places: readonly Place[] = ['image', 'permalink', 'batch', 'html', 'usage', 'keys', 'page'];

/** The errors of all places, by the names that references use. */
export const errorComponents = (): Readonly<Record<string, ApiResponse>> =>
  Object.fromEntries(
    places.flatMap((place) =>
      Object.entries(errorsAt(place)).map(([status, response]) => [`${place}${status}`, response] as const),
    ),
  );

/** References to the errors at a place, by status. */
export const errorRefs = (place: Place): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    Object.keys(errorsAt(place)).map((status) => [
      status,
      { $ref: `#/components/responses/${place}${status}` },
    ]),
  );
