/** Turns an HTTP request into the events that a REST API sends to the authorizer and the handler. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { type ApiRoute, apiRoutes } from '../../lambda/contract/routes';
import { decodePercent } from '../../lambda/requests/path-form';
import { cut } from '../http';

/** The stage the local API pretends to be deployed as; it has no prefix, as behind a custom domain. */
const stage = 'local';
const apiArn = 'arn:aws:execute-api:local:000000000000:local';

/** The request is one that a REST API refuses itself. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest';
}

/** A body that is longer than API Gateway takes. */
export class RequestTooLarge extends UnreadableRequest {}

/** The proxy event of a request, without what the authorizer adds. @param rootUrl of the API, as API Gateway names its own domain */
export function proxyEvent(
  request: IncomingMessage,
  { route, parameters }: MatchedRoute,
  body: string | null,
  nowMs: number,
  rootUrl: string,
): APIGatewayProxyEvent {
  const { path, search } = targetOf(request);
  const headers = multiHeaders(request);
  const query = multiQuery(search);
  return {
    resource: route.path,
    path,
    httpMethod: request.method ?? 'GET',
    headers: { ...last(headers), 'X-Forwarded-Proto': 'http' },
    multiValueHeaders: { ...headers, 'X-Forwarded-Proto': ['http'] },
    queryStringParameters: query && last(query),
    multiValueQueryStringParameters: query,
    pathParameters: Object.keys(parameters).length > 0 ? parameters : null,
    stageVariables: null,
    body,
    isBase64Encoded: body !== null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: undefined,
      protocol: 'HTTP/1.1',
      httpMethod: request.method ?? 'GET',
      identity: { sourceIp: request.socket.remoteAddress ?? '127.0.0.1' } as never,
      path,
      stage,
      requestId: randomUUID(),
      requestTimeEpoch: nowMs,
      resourceId: 'local',
      resourcePath: route.path,
      domainName: new URL(rootUrl).host,
    },
  };
}

/** Path and query string of a request, both still encoded as they were sent, without `?` and without a base URL. */
export function targetOf(request: Pick<IncomingMessage, 'url'>): {
  readonly path: string;
  readonly search: string;
} {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const [path, search] = cut(target, '?');
  return { path: path || '/', search };
}

/** The REQUEST authorizer's event for a proxy event. */
export function authorizerEvent(event: APIGatewayProxyEvent): APIGatewayRequestAuthorizerEvent {
  const { body: _body, isBase64Encoded: _encoded, ...rest } = event;
  const methodArn = `${apiArn}/${stage}/${event.httpMethod}/${event.path.replace(/^\//, '')}`;
  return { ...rest, type: 'REQUEST', methodArn } as APIGatewayRequestAuthorizerEvent;
}

/** Header names keep the case of the caller, as API Gateway leaves them. */
function multiHeaders(request: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null);
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] as string;
    headers[name] = [...(headers[name] ?? []), request.rawHeaders[i + 1] as string];
  }
  return headers;
}

/**
 * Decoded values by decoded name, `+` and `%20` both a space; `null` when there are none. AWS does not say what a REST
 * API does with a broken percent sequence; here it becomes U+FFFD, which lets the functions name the parameter.
 */
function multiQuery(search: string): Record<string, string[]> | null {
  const values: Record<string, string[]> = Object.create(null);
  for (const pair of search.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=').map(decode);
    values[name] = [...(values[name] ?? []), value.join('=')];
  }
  return Object.keys(values).length > 0 ? values : null;
}

function decode(text: string): string {
  return decodePercent(text.replaceAll('+', ' ')).text;
}

function last(values: Readonly<Record<string, string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));
}

interface MatchedRoute {
  readonly route: ApiRoute;
  /** Variables of the path, still percent-encoded as a REST API hands them over. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route of a path, or `undefined` where API Gateway knows none. */
export function matchRoute(pathname: string): MatchedRoute | undefined {
  for (const route of apiRoutes) {
    const parameters = matchPath(route.path, pathname);
    if (parameters) return { route, parameters };
  }
  return undefined;
}

function matchPath(template: string, pathname: string): Record<string, string> | undefined {
  const wanted = segmentsOf(template);
  const given = segmentsOf(pathname);
  const isGreedy = template.endsWith('+}');
  if (isGreedy ? given.length < wanted.length : given.length !== wanted.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const value = given[i] as string;
    if (segment.endsWith('+}')) parameters[segment.slice(1, -2)] = given.slice(i).join('/');
    else if (!segment.startsWith('{')) {
      if (segment !== value) return undefined;
    } else if (value === '') return undefined;
    else parameters[segment.slice(1, -1)] = value;
  }
  return parameters;
}

/** A slash at the end means nothing to a REST API. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}
