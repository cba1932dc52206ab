/** Reads REST proxy events. No other file of the function `api` knows their fields. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { edgeHeaders } from '../contract/edge';
import {
  type Caller,
  hasPublishedCredential,
  type KeyedCaller,
  readAuthorizerContext,
} from '../credentials/caller';
import { serviceUnavailable } from '../problems/problem';
import { expandShortNames } from '../requests/parameter-names';
import type { RequestTexts } from '../requests/parse-request';
import { decodePercent } from '../requests/path-form';
import type { HttpRefusal } from './http-response';

/** A request without the shapes of API Gateway. */
export interface HttpRequest {
  readonly method: string;
  readonly resource: string;
  /** Values of the template's variables, percent-encoded as the caller sent them. */
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  readonly query: RequestTexts['query'];
  /** Reads a header by its name in lower case. Several values are joined by commas. */
  readonly getHeader: (name: string) => string | undefined;
  /** The body as API Gateway delivers it. `readTextBody` and `readJsonBody` decode it. */
  readonly body: { readonly text: string | null; readonly isBase64: boolean };
  /** The caller, by any credential. Routes other than those of images use `requireApiCaller`. */
  readonly caller: Caller | HttpRefusal;
  /** The IP address of the caller. Behind the distribution it is the address of the viewer. */
  readonly clientIp: string;
  readonly requestId: string;
  /** When API Gateway received the request. */
  readonly receivedMs: number;
  /** When this function began. */
  readonly startedMs: number;
  /** The root URL of the service as the caller sees it: with the stage prefix, without a trailing slash. */
  readonly rootUrl: string;
}

/** Reads an event. `startedMs` is the moment when the function began. */
export function readHttpRequest(
  event: APIGatewayProxyEvent,
  match: ReturnType<typeof createRouteMatcher>,
  startedMs: number,
  rootUrl = readRootUrl(event),
): HttpRequest {
  const { requestContext } = event;
  const { viewerIp } = (requestContext.authorizer ?? {}) as { readonly viewerIp?: string };
  const getHeader = (name: string) => {
    const values = readHeaderValues(event, name);
    return values.length === 0 ? undefined : values.join(', ');
  };
  // The distribution drops unknown parameters from the URL, and names them without their values.
  const droppedNames = viewerIp === undefined ? [] : (getHeader(edgeHeaders.dropped)?.split(/[, ]+/) ?? []);
  const query = {
    ...expandShortNames(event.multiValueQueryStringParameters ?? {}),
    ...Object.fromEntries(droppedNames.filter(Boolean).map((name) => [decodePercent(name).text, []])),
  };
  return {
    method: event.httpMethod,
    ...match(event.path),
    query,
    getHeader,
    body: { text: event.body, isBase64: event.isBase64Encoded },
    caller: readAuthorizedCaller(requestContext.authorizer, query, getHeader),
    clientIp: viewerIp ?? requestContext.identity.sourceIp,
    requestId: requestContext.requestId,
    receivedMs: requestContext.requestTimeEpoch,
    startedMs,
    rootUrl,
  };
}

/**
 * Creates a function that finds the template of a path (`''` if none fits), and the values of the template's
 * variables. The first template that fits wins; `{name+}` stands for the rest of the path.
 */
export function createRouteMatcher(templates: readonly string[]) {
  const table = templates.map((resource) => {
    const pattern = resource
      .replace(/\/$/, '')
      .replaceAll('.', '\\.')
      .replace(/\{(\w+)(\+?)\}/g, (_, name, greedy) => `(?<${name}>${greedy ? '.+?' : '[^/]*'})`);
    return { resource, pattern: new RegExp(`^${pattern}/?$`, 's') };
  });
  return (path: string) => {
    for (const { resource, pattern } of table) {
      const match = pattern.exec(path);
      if (match) return { resource, pathParameters: { ...match.groups } };
    }
    return { resource: '', pathParameters: {} };
  };
}

/** Reads the caller or its refusal from the context of the authorizer. No context means an outage. */
function readAuthorizedCaller(
  context: APIGatewayProxyEvent['requestContext']['authorizer'],
  query: HttpRequest['query'],
  getHeader: HttpRequest['getHeader'],
): HttpRequest['caller'] {
  const result = readAuthorizerContext(context);
  if (!('refusal' in result)) return result;
  const { refusal: code } = result;
  if (code === 'service_unavailable') return { refusal: serviceUnavailable };
  if (code === 'conflicting_parameters') {
    const bounds = 'only one API key, signature or site key can be given';
    const names = [
      ...['X-API-Key', 'Authorization'].filter((name) => getHeader(name.toLowerCase())),
      ...['api_key', 'signer', 'signature', 'site'].filter((name) => query[name] !== undefined),
    ];
    return { refusal: { code, faults: names.map((parameter) => ({ parameter, bounds })) } };
  }
  const isExposed = getHeader('referer') !== undefined && /^pk_/.test(query['api_key']?.[0] ?? '');
  return { refusal: code === 'invalid_api_key' && isExposed ? { code, isExposed } : { code } };
}

/** Reads the root URL, with the stage prefix or the base path of a custom domain, without a last slash. */
export function readRootUrl({ requestContext, path, headers }: APIGatewayProxyEvent): string {
  const scheme = headers?.['X-Forwarded-Proto'] ?? 'https';
  const { domainName, path: fullPath } = requestContext;
  const prefix = fullPath.endsWith(path) ? fullPath.slice(0, fullPath.length - path.length) : '';
  return `${scheme}://${domainName}${prefix}`;
}

/** Reads all values of a header. API Gateway keeps the case in which the caller wrote the name. */
export function readHeaderValues(
  event: { readonly multiValueHeaders: Readonly<Record<string, string[] | undefined>> | null },
  name: string,
): readonly string[] {
  return Object.entries(event.multiValueHeaders ?? {}).flatMap(([key, texts = []]) =>
    key.toLowerCase() === name ? texts : [],
  );
}

/** Requires a caller for a route that serves no image. Refuses signed URLs and site keys, which are for pages. */
export function requireApiCaller({ caller }: Pick<HttpRequest, 'caller'>): Caller | HttpRefusal {
  if ('refusal' in caller || !hasPublishedCredential(caller)) return caller;
  return { refusal: { code: 'credential_not_allowed' } };
}

/** Requires a caller with an API key. */
export function requireKeyHolder(request: Pick<HttpRequest, 'caller'>): KeyedCaller | HttpRefusal {
  const caller = requireApiCaller(request);
  if ('refusal' in caller || caller.kind !== 'anonymous') return caller;
  return { refusal: { code: 'authentication_required' } };
}
