/** Replaces API Gateway: it hands requests to authorizer and handler as REST proxy events. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { readBytes } from '../lambda/base/read-bytes';
import { gatewayResources } from '../lambda/contract/routes';
import { type GatewayResponseType, writeGatewayResponse } from '../lambda/http/gateway-responses';
import { decodePercent } from '../lambda/requests/path-form';
import type { FairQueue } from './fair-queue';

export interface GatewayFunctions {
  readonly authorizer: (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;
  readonly api: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
}

interface GatewayOptions {
  readonly functions: GatewayFunctions;
  /** Decides when `api` may begin the request of a caller. The authorizer's principal names the caller. */
  readonly runInTurn: FairQueue;
  readonly nowMs: () => number;
  /** URL of the service without a trailing slash. The host of a request does not change it. */
  readonly rootUrl: string;
  readonly onFault: (error: unknown) => void;
}

/**
 * Responds to an HTTP request as the deployed API would, and returns the response. Returns `undefined` if the caller
 * has gone before its body has arrived. Never rejects.
 */
export type Gateway = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<APIGatewayProxyResult | undefined>;

/** Most bytes of a request body, the same as in API Gateway. */
const bodyBytesMax = 10 * 1024 * 1024;

/** Creates the gateway. It refuses a request while too many requests of its caller wait. */
export function createGateway(options: GatewayOptions): Gateway {
  const { functions, runInTurn, nowMs, rootUrl, onFault } = options;
  const createResult = async (request: IncomingMessage): Promise<APIGatewayProxyResult | undefined> => {
    const requestId = randomUUID();
    const refuse = (type: GatewayResponseType): APIGatewayProxyResult => {
      const context = { requestId, rootUrl, isLocal: true };
      const { status: statusCode, headers, body } = writeGatewayResponse(type, context);
      return { statusCode, headers, body };
    };
    const match = findRoute(splitTarget(request).path);
    if (!match) return refuse('MISSING_AUTHENTICATION_TOKEN');
    const body = await readBytes(request, bodyBytesMax).catch(() => 'aborted' as const);
    if (body === 'aborted') return undefined;
    if (!body) return refuse('REQUEST_TOO_LARGE');
    const event = makeProxyEvent(request, match, body, { requestId, nowMs: nowMs(), rootUrl });
    if (match.route.isAuthorized) {
      const verdict = await authorize(options, event);
      if (typeof verdict === 'string') return refuse(verdict);
      event.requestContext.authorizer = { ...verdict.context, principalId: verdict.principalId };
    }
    const invokeApi = () =>
      functions.api(event).catch((error: unknown) => {
        onFault(error);
        return refuse('INTEGRATION_FAILURE');
      });
    const caller = String(event.requestContext.authorizer?.['principalId']);
    return (await runInTurn(caller, invokeApi)) ?? refuse('THROTTLED');
  };

  return async (request, response) => {
    const result = await createResult(request);
    if (result) writeResponse(response, result, request.method === 'HEAD');
    return result;
  };
}

/** Asks the authorizer about a request. Returns its verdict, or the type of the gateway's refusal. */
async function authorize({ functions, onFault }: GatewayOptions, event: APIGatewayProxyEvent) {
  const { body: _body, isBase64Encoded: _isBase64Encoded, ...head } = event;
  const methodArn = `arn:aws:execute-api:local:000000000000:local/local/${event.httpMethod}${event.path}`;
  const authorizerEvent = { ...head, type: 'REQUEST', methodArn } as APIGatewayRequestAuthorizerEvent;
  const verdict = await functions.authorizer(authorizerEvent).catch((error: unknown) => void onFault(error));
  if (!verdict) return 'AUTHORIZER_FAILURE';
  // The authorizer's policies have one statement, about the whole stage.
  const isAllowed = verdict.policyDocument.Statement.every(({ Effect }) => Effect === 'Allow');
  return isAllowed ? verdict : 'ACCESS_DENIED';
}

function writeResponse(response: ServerResponse, result: APIGatewayProxyResult, isHead: boolean): void {
  const { statusCode, headers = {}, body, isBase64Encoded } = result;
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const isEmpty = isHead || statusCode === 204 || statusCode === 304;
  const length = isEmpty ? {} : { 'Content-Length': content.byteLength };
  response.writeHead(statusCode, { ...(headers as Record<string, string>), ...length });
  response.end(isEmpty ? undefined : content);
}

/** Creates the proxy event of a request, without the context of the authorizer. */
export function makeProxyEvent(
  request: IncomingMessage,
  { route, proxy }: MatchedRoute,
  body: Buffer,
  { requestId, nowMs, rootUrl }: Record<'requestId' | 'rootUrl', string> & { readonly nowMs: number },
): APIGatewayProxyEvent {
  const { path, search } = splitTarget(request);
  const { rawHeaders, method: httpMethod = 'GET' } = request;
  // API Gateway keeps the case of header names.
  const headers = groupByName(
    rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] as string] as const] : [])),
  );
  headers['X-Forwarded-Proto'] = ['http'];
  const query = groupByName(search.split('&').filter(Boolean).map(decodeParameter));
  const hasQuery = Object.keys(query).length > 0;
  return {
    resource: route.path,
    path,
    httpMethod,
    headers: getLastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: hasQuery ? getLastValues(query) : null,
    multiValueQueryStringParameters: hasQuery ? query : null,
    pathParameters: proxy === undefined ? null : { proxy },
    stageVariables: null,
    // The body is base64, because the API declares every media type as binary.
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: undefined,
      protocol: 'HTTP/1.1',
      httpMethod,
      identity: { sourceIp: request.socket.remoteAddress ?? '127.0.0.1' } as never,
      path,
      stage: 'local',
      requestId,
      requestTimeEpoch: nowMs,
      resourceId: 'local',
      resourcePath: route.path,
      domainName: new URL(rootUrl).host,
    },
  };
}

/** Splits a request target into path and query string, both still encoded. A proxy also sends the host. */
function splitTarget({ url = '/' }: Pick<IncomingMessage, 'url'>) {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '');
  const [path = '', ...search] = target.split('?');
  return { path: path || '/', search: search.join('?') };
}

/** Decodes a parameter. A broken percent sequence becomes U+FFFD, which functions refuse. */
function decodeParameter(pair: string): readonly [name: string, value: string] {
  const [name = '', ...value] = pair.split('=').map((text) => decodePercent(text.replaceAll('+', ' ')).text);
  return [name, value.join('=')];
}

function groupByName(pairs: readonly (readonly [name: string, value: string])[]): Record<string, string[]> {
  const valuesByName: Record<string, string[]> = Object.create(null);
  for (const [name, value] of pairs) valuesByName[name] = [...(valuesByName[name] ?? []), value];
  return valuesByName;
}

function getLastValues(valuesByName: Readonly<Record<string, string[]>>): Record<string, string> {
  const lastValues = Object.entries(valuesByName).map(([name, values]) => [name, values.at(-1) ?? '']);
  return Object.fromEntries(lastValues);
}

interface MatchedRoute {
  readonly route: (typeof gatewayResources)[number];
  /** The path in place of `{proxy+}`, still percent-encoded. */
  readonly proxy?: string;
}

/** Finds the resource of a path, a literal one first. As in API Gateway, `/api` has none. */
export function findRoute(pathname: string): MatchedRoute | undefined {
  const path = pathname.replace(/(?<=.)\/$/, '');
  if (path === '/api' || path === '/v1') return undefined;
  const literal = gatewayResources.find((route) => route.path === path);
  if (literal) return { route: literal };
  for (const route of [...gatewayResources].sort((a, b) => b.path.length - a.path.length)) {
    const [prefix = '', greedy] = route.path.split('{proxy+}');
    if (greedy !== undefined && path.startsWith(prefix) && path.length > prefix.length)
      return { route, proxy: path.slice(prefix.length) };
  }
  return undefined;
}
