/** Describes the errors and headers of each kind of route. They include the errors of API Gateway itself. */

import { headerTexts } from '../../contract/headers';
import { type ProblemCode, problems } from '../../problems/problem';
import type { JsonSchema } from '../../requests/json-schema';

/** The bodies of a request or a response, by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

type References = Readonly<Record<string, { readonly $ref: string }>>;

/** One response of an operation. */
export interface ApiResponse {
  readonly description: string;
  readonly headers: References;
  readonly content?: Content;
}

/** Refers to a schema of the document's components. */
export const makeSchemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
/** Describes a JSON body by a schema of the document's components. */
export const makeJsonContent = (name: string): Content => ({
  'application/json': { schema: makeSchemaRef(name) },
});
/** Any JSON object, because the specification of another protocol describes it. */
export const anyJson: Content = { 'application/json': { schema: { type: 'object' } } };

const commonCodes = ['rate_limited', 'service_unavailable', 'internal_error'] as const;
const routeCodes = [...commonCodes, 'invalid_parameter', 'content_too_large'] as const;
const keyRouteCodes = [...routeCodes, 'conflicting_parameters', 'invalid_api_key'] as const;
const bodyRouteCodes = [...keyRouteCodes, 'unsupported_media_type'] as const;
const keyHolderCodes = ['authentication_required', 'credential_not_allowed'] as const;
const ownerCodes = ['not_found', 'origin_not_allowed', 'last_owner', 'too_many_keys'] as const;
const imageCodes = [
  'image_removed',
  'quota_exceeded',
  'upstream_unavailable',
  'generation_in_progress',
  'no_image_found',
  'content_refused',
  'generation_paused',
] as const;
const pageCredentialCodes = ['invalid_signature', 'invalid_site_key', 'origin_not_allowed'] as const;
const imageRouteCodes = [...keyRouteCodes, ...imageCodes, ...pageCredentialCodes] as const;

const card = { type: 'string', description: 'An error card of the requested size, for image tags.' };
const smallCard = { ...card, format: 'binary', description: 'A small card, for clients that show no SVG.' };
const cards: Content = { 'image/svg+xml': { schema: card }, 'image/png': { schema: smallCard } };

const { image, rate, other } = headerTexts;
const imageHeaders = Object.keys({ ...image, ...rate, ...other });
const commonHeaders = ['Cache-Control', 'Retry-After', 'X-Response-Time'];
const keyRouteHeaders = [...commonHeaders, ...Object.keys(rate), 'WWW-Authenticate', 'Vary'];

/** The part of an operation that is the same for all routes of one kind. */
export interface RouteKind {
  readonly codes: readonly ProblemCode[];
  /** Names of the response headers. By default they are those of routes that take a key. */
  readonly headers?: readonly string[];
  /** Bodies that errors may have instead of a problem document. */
  readonly orBody?: Content;
  readonly worksWithoutKey?: true;
  readonly tag?: 'Images' | 'Account' | 'Documentation';
}

const imageRoute = { worksWithoutKey: true, orBody: cards, headers: imageHeaders } as const;
/** The kinds of routes by name. */
export const routeKinds = {
  image: { ...imageRoute, codes: [...imageRouteCodes, 'authentication_required', 'link_expired'] },
  permalink: { ...imageRoute, codes: [...imageRouteCodes, 'not_found', 'credential_not_allowed'] },
  batch: { codes: [...bodyRouteCodes, ...keyHolderCodes] },
  // Errors of API Gateway itself are problem documents on this route too.
  openAi: { codes: [...bodyRouteCodes, ...keyHolderCodes], orBody: makeJsonContent('OpenAiError') },
  mcp: { codes: [...bodyRouteCodes, 'credential_not_allowed'], orBody: anyJson, worksWithoutKey: true },
  usage: { codes: [...keyRouteCodes, ...keyHolderCodes], tag: 'Account' },
  keys: { codes: [...bodyRouteCodes, ...keyHolderCodes, ...ownerCodes], tag: 'Account' },
  page: {
    codes: routeCodes,
    headers: [...commonHeaders, 'ETag'],
    worksWithoutKey: true,
    tag: 'Documentation',
  },
} as const satisfies Readonly<Record<string, RouteKind>>;

const sortCodes = (codes: readonly ProblemCode[]) =>
  (Object.keys(problems) as ProblemCode[]).filter((code) => codes.includes(code));

/** Makes the schema of a problem with one of these codes. By default they are those of a slot of a batch. */
export const describeProblem = (
  codes: readonly ProblemCode[] = sortCodes([...commonCodes, ...imageCodes, 'duplicate_image']),
): JsonSchema => ({
  allOf: [
    makeSchemaRef('Problem'),
    { type: 'object', properties: { code: { type: 'string', enum: codes } } },
  ],
});

/** Lists references to the response headers of one kind of route. */
export const listHeaderRefs = ({ headers = keyRouteHeaders }: RouteKind): References =>
  Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Describes the errors of one kind of route, by status. */
export function describeErrors(kind: RouteKind): Readonly<Record<string, ApiResponse>> {
  const { codes, orBody } = kind;
  const statuses = new Set(codes.map((code) => problems[code].status));
  const responses = [...statuses].map((status) => {
    const statusCodes = sortCodes(codes).filter((code) => problems[code].status === status);
    const description = statusCodes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' ');
    const content = { 'application/problem+json': { schema: describeProblem(statusCodes) }, ...orBody };
    return [status, { description, headers: listHeaderRefs(kind), content }] as const;
  });
  return Object.fromEntries(responses);
}
