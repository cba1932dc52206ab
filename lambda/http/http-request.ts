/** What a function takes from a REST proxy event, and who makes the request. No other file behind the authorizer reads one. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { edgeHeaders } from '../contract/edge';
import { arrivalSkewMsMax } from '../contract/timeouts';
import { readAuthorizerContext } from '../credentials/authorizer-context';
import { type Admission, type Caller, isPublished, type KeyedCaller } from '../credentials/caller';
import { type ParameterFault, serviceUnavailable } from '../problems/problem';
import { byFullName } from '../requests/parameter-names';
import { decodePercent } from '../requests/path-form';
import type { HttpRefusal } from './http-response';
import type { MatchRoute } from './match-route';

/** A request, read once and in no shape of API Gateway's. */
export interface HttpRequest {
  readonly method: string;
  /** Template of the resource, such as `/api/image/{spec+}`. */
  readonly resource: string;
  /** Values of the template's variables, percent-encoded as the caller sent them. */
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  /** Every value of every query parameter, decoded, by its full name. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** Values of a header, joined by commas; `undefined` when it is absent. Takes the name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Body as API Gateway delivers it; a route that takes one decodes it, with a content type and a limit of its own. */
  readonly body: { readonly text: string | null; readonly isBase64: boolean };
  /** What the authorizer found out about the caller; an outage on a route without it. */
  readonly admission: Admission;
  /** IP address of the caller, behind a distribution the one that this saw. */
  readonly clientIp: string;
  readonly requestId: string;
  /** When API Gateway received the request, milliseconds since the epoch. */
  readonly receivedMs: number;
  /** When this function began to work on it, milliseconds since the epoch. */
  readonly startedMs: number;
  /** Root of the service as the caller sees it, with the stage prefix and without a trailing slash. */
  readonly rootUrl: string;
}

/**
 * @param match finds the route of its path
 * @param startedMs when the function began to work on it, milliseconds since the epoch
 * @param rootUrl root of the service where it is not the API's own: behind a distribution
 */
export function readHttpRequest(
  event: APIGatewayProxyEvent,
  match: MatchRoute,
  startedMs: number,
  rootUrl?: string | undefined,
): HttpRequest {
  const { requestContext } = event;
  const valuesOf = (name: string) => headerValues(event, name);
  const { viewerIp } = (requestContext.authorizer ?? {}) as { readonly viewerIp?: string };
  return {
    method: event.httpMethod,
    ...match(event.path),
    query: {
      ...byFullName(event.multiValueQueryStringParameters ?? {}),
      ...(viewerIp !== undefined && droppedAtEdge(valuesOf)),
    },
    header: (name) => {
      const values = valuesOf(name);
      return values.length === 0 ? undefined : values.join(', ');
    },
    body: { text: event.body, isBase64: event.isBase64Encoded },
    admission: readAuthorizerContext(requestContext.authorizer),
    clientIp: viewerIp ?? requestContext.identity.sourceIp,
    requestId: requestContext.requestId,
    receivedMs: requestContext.requestTimeEpoch,
    startedMs,
    rootUrl: rootUrl ?? rootOf(event),
  };
}

/** The parameters that the distribution has dropped from the URL, without their values. */
function droppedAtEdge(valuesOf: (name: string) => readonly string[]): HttpRequest['query'] {
  const names = valuesOf(edgeHeaders.dropped)
    .join(',')
    .split(',')
    .filter((name) => name !== '');
  return Object.fromEntries(names.map((name) => [decodePercent(name).text, []]));
}

/**
 * Moment (epoch, milliseconds) by which a request must be answered. A clock that is off must neither end a request before
 * it began nor let it wait without end.
 * @param budgetMs longest time from its arrival to its answer
 */
export function answersBy(
  { receivedMs, startedMs }: Pick<HttpRequest, 'receivedMs' | 'startedMs'>,
  budgetMs: number,
): number {
  return Math.min(startedMs, Math.max(receivedMs, startedMs - arrivalSkewMsMax)) + budgetMs;
}

/**
 * Scheme, host and stage prefix of a REST proxy event's request, without a trailing slash. The context's path has the
 * stage, or the base path of a custom domain, before that of the event.
 */
export function rootOf({
  requestContext,
  path,
  headers,
}: Pick<APIGatewayProxyEvent, 'requestContext' | 'path' | 'headers'>): string {
  const scheme = headers?.['X-Forwarded-Proto'] ?? 'https';
  const { domainName, path: whole } = requestContext;
  const prefix = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : '';
  return `${scheme}://${domainName}${prefix}`;
}

/** All values of a header whatever its case; API Gateway keeps the case that the caller used. */
export function headerValues(
  event: { readonly multiValueHeaders: Readonly<Record<string, string[] | undefined>> | null },
  name: string,
): readonly string[] {
  const values: string[] = [];
  for (const [key, more] of Object.entries(event.multiValueHeaders ?? {})) {
    // Every request comes by here with a dozen other headers: their lengths rule most of them out.
    if (key.length === name.length && key.toLowerCase() === name) values.push(...(more ?? []));
  }
  return values;
}

/** What tells who makes a request. */
type Identified = Pick<HttpRequest, 'admission' | 'query' | 'header'>;

/** The caller of an image by its words, which a signed URL or a site key may name too. */
export function imageCallerOf(request: Identified): Caller | HttpRefusal {
  const { admission, query, header } = request;
  if (admission.outcome === 'known') return admission.caller;
  if (admission.outcome === 'outage') return { refusal: serviceUnavailable };
  switch (admission.code) {
    case 'conflicting_parameters':
      return { refusal: { code: admission.code, faults: conflictsOf(request) } };
    case 'invalid_api_key': {
      const isPublished = header('referer') !== undefined && /^pk_/.test(query['api_key']?.[0] ?? '');
      return { refusal: { code: admission.code, ...(isPublished && { isPublished }) } };
    }
    default:
      return { refusal: { code: admission.code } };
  }
}

/** The caller of everything else, which takes an API key: what a page publishes is good for images only. */
export function callerOf(request: Identified): Caller | HttpRefusal {
  const caller = imageCallerOf(request);
  return !('refusal' in caller) && isPublished(caller)
    ? { refusal: { code: 'credential_not_allowed' } }
    : caller;
}

/** Every credential that a request names, as one too many. */
function conflictsOf({ query, header }: Identified): readonly ParameterFault[] {
  const named = [
    ...['X-API-Key', 'Authorization'].filter((name) => header(name.toLowerCase())),
    ...['api_key', 'signer', 'signature', 'site'].filter((name) => query[name] !== undefined),
  ];
  return named.map((parameter) => ({
    parameter,
    bounds: 'only one API key, signature or site key can be given',
  }));
}

/**
 * The holder of the API key that a request came with; `authentication_required` without a key, `credential_not_allowed`
 * for a signer or a site key: every visitor of a page has what is published in it.
 */
export function keyHolderOf(request: Identified): KeyedCaller | HttpRefusal {
  const caller = callerOf(request);
  if ('refusal' in caller) return caller;
  if (caller.kind === 'anonymous') return { refusal: { code: 'authentication_required' } };
  return caller;
}
