/** Lists the errors of each kind of route, those of API Gateway included. */

import { type HeaderName, headerTexts } from '../../contract/headers';
import { type ProblemCode, problems } from '../../problems/problem';
import type { JsonSchema } from '../../requests/json-schema';

/** Bodies of a request or an answer by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** References to components of the document by name. */
type References = Readonly<Record<string, { readonly $ref: string }>>;

/** One answer of an operation; its status is the key under which it stands. */
export interface ApiResponse {
  readonly description: string;
  readonly headers: References;
  readonly content?: Content;
}

/** JSON of a schema of the document's components. */
export const jsonContent = (name: string): Content => ({ 'application/json': { schema: schemaRef(name) } });
/** A reference to a schema of the document's components. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
/** JSON that is described elsewhere. */
export const anyJson: Content = { 'application/json': { schema: { type: 'object' } } };

const commonCodes = ['rate_limited', 'service_unavailable', 'internal_error'] as const;
const routeCodes = [...commonCodes, 'invalid_parameter', 'content_too_large'] as const;
const keyRouteCodes = [...routeCodes, 'conflicting_parameters', 'invalid_api_key'] as const;
const bodyRouteCodes = [...keyRouteCodes, 'unsupported_media_type'] as const;
/** Errors of routes that take an API key alone, and refuse what a page publishes. */
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

/** The common part of the operations of one kind of route. */
export interface RouteKind {
  readonly codes: readonly ProblemCode[];
  /** Bodies that its errors may have in place of a problem document. */
  readonly orBody?: Content;
  readonly worksWithoutKey?: true;
  readonly tag?: 'Images' | 'Account' | 'Documentation';
}

const imageRoute: RouteKind = { worksWithoutKey: true, orBody: cards, codes: imageRouteCodes };
/** Errors, further bodies and tag by the kind of a route. */
export const routeKinds = {
  image: { ...imageRoute, codes: [...imageRouteCodes, 'authentication_required', 'link_expired'] },
  permalink: { ...imageRoute, codes: [...imageRouteCodes, 'not_found', 'credential_not_allowed'] },
  batch: { codes: [...bodyRouteCodes, ...keyHolderCodes] },
  // Answers of API Gateway itself stay problem documents.
  openAi: { codes: [...bodyRouteCodes, ...keyHolderCodes], orBody: jsonContent('OpenAiError') },
  mcp: { codes: [...bodyRouteCodes, 'credential_not_allowed'], orBody: anyJson, worksWithoutKey: true },
  usage: { codes: [...keyRouteCodes, ...keyHolderCodes], tag: 'Account' },
  keys: { codes: [...bodyRouteCodes, ...keyHolderCodes, ...ownerCodes], tag: 'Account' },
  page: { codes: routeCodes, worksWithoutKey: true, tag: 'Documentation' },
} as const satisfies Readonly<Record<string, RouteKind>>;

/** Some codes in the order of the table of errors. */
const sorted = (codes: readonly ProblemCode[]) =>
  (Object.keys(problems) as ProblemCode[]).filter((code) => codes.includes(code));

/** A problem document with one of these codes; by default of an image of a batch. */
export const problemSchemaOf = (
  codes: readonly ProblemCode[] = sorted([...commonCodes, ...imageCodes, 'duplicate_image']),
): JsonSchema => ({
  allOf: [schemaRef('Problem'), { type: 'object', properties: { code: { type: 'string', enum: codes } } }],
});

/** The headers of every answer with an image, or of those of charged routes. */
export const headersOf = (group: 'image' | 'rate'): readonly HeaderName[] =>
  Object.keys(headerTexts[group]) as HeaderName[];

/** References to headers, for a response. */
export const headerRefs = (...names: readonly HeaderName[]): References =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Describes the errors of a kind of routes, by status. */
export function errorsOf({ codes, orBody }: RouteKind): Readonly<Record<string, ApiResponse>> {
  const cardHeaders: readonly HeaderName[] = orBody === cards ? ['X-Image-Fallback', 'X-Image-Note'] : [];
  const headers = headerRefs(...headersOf('rate'), 'Retry-After', 'WWW-Authenticate', ...cardHeaders);
  const statuses = new Set(codes.map((code) => problems[code].status));
  const responses = [...statuses].map((status) => {
    const statusCodes = sorted(codes).filter((code) => problems[code].status === status);
    const description = statusCodes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' ');
    const content = { 'application/problem+json': { schema: problemSchemaOf(statusCodes) }, ...orBody };
    return [status, { description, headers, content }] as const;
  });
  return Object.fromEntries(responses);
}
