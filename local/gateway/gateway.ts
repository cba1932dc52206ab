/** The local API Gateway: HTTP in, REST proxy events through authorizer and handler, HTTP out. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
  PolicyDocument,
} from 'aws-lambda';
import type { ApiRoute } from '../../lambda/contract/routes';
import {
  answeredMediaTypes,
  type GatewayResponseType,
  gatewayBody,
  gatewayHeaders,
  gatewayResponses,
  gatewayStatus,
  preflightHeadersFor,
  refusalHeadersFor,
} from '../../lambda/http/gateway-responses';
import { bodyOf } from '../http';
import {
  authorizerEvent,
  matchRoute,
  proxyEvent,
  RequestTooLarge,
  targetOf,
  UnreadableRequest,
} from './rest-event';
import { createAdmissionGate, type UsagePlans } from './throttles';

/** The functions behind the gateway. */
export interface GatewayFunctions {
  readonly authorizer: (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;
  readonly handlers: Readonly<
    Record<ApiRoute['function'], (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>>
  >;
}

interface GatewayOptions {
  readonly functions: GatewayFunctions;
  readonly usagePlans: UsagePlans;
  readonly nowMs: () => number;
  /** Root of the service in its own answers, without a trailing slash: whatever host a request names. */
  readonly rootUrl: string;
  /** Receives the faults that API Gateway would write to its own log. */
  readonly onFault: (error: unknown) => void;
}

/** API Gateway's own limit for a request body, in bytes. */
const bodyBytesMax = 10 * 1024 * 1024;

/** Answers one HTTP request as the deployed API would. Never rejects. */
export type Gateway = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Makes the gateway; it never sends what API Gateway would not. */
export function createGateway(options: GatewayOptions): Gateway {
  const admit = createAdmissionGate(options.nowMs);
  return async (request, response) => {
    const method = request.method ?? 'GET';
    let event: APIGatewayProxyEvent | undefined;
    const { rootUrl } = options;
    const refuse = (type: GatewayResponseType) =>
      sendGatewayResponse(response, type, request, event, rootUrl);
    try {
      const matched = matchRoute(targetOf(request).path);
      if (!matched) return refuse('MISSING_AUTHENTICATION_TOKEN');
      const methods: readonly string[] = matched.route.methods;
      const refused: readonly string[] = matched.route.refused ?? [];
      if (!methods.includes(method) && !refused.includes(method)) {
        if (!matched.route.hasOtherMethods) return refuse('MISSING_AUTHENTICATION_TOKEN');
        const allowed = [...methods, 'OPTIONS'];
        if (!isAnswered(request)) return refuse('UNSUPPORTED_MEDIA_TYPE');
        if (method === 'OPTIONS') return void response.writeHead(204, preflightHeadersFor(allowed)).end();
        return sendGatewayResponse(response, 'UNSUPPORTED_MEDIA_TYPE', request, event, rootUrl, allowed);
      }
      const received = proxyEvent(request, matched, await textOf(request), options.nowMs(), rootUrl);
      event = received;
      const { route } = matched;
      const isAdmitted = await admit(async () => {
        const refusal = route.isAuthorized ? await authorize(options, received) : undefined;
        if (refusal) return refuse(refusal);
        const result: unknown = await options.functions.handlers[route.function](received);
        if (isProxyResult(result)) return sendProxyResult(response, result, method);
        options.onFault(new Error(`${route.function} gave an answer that is no proxy result`));
        refuse('INTEGRATION_FAILURE');
      });
      // As where Lambda has no free execution.
      if (!isAdmitted) refuse('INTEGRATION_FAILURE');
    } catch (error) {
      if (error instanceof UnreadableRequest)
        return refuse(error instanceof RequestTooLarge ? 'REQUEST_TOO_LARGE' : 'BAD_REQUEST_PARAMETERS');
      options.onFault(error);
      refuse('INTEGRATION_FAILURE');
    }
  };
}

/** Whether the deployed API's own templates are for a request. */
function isAnswered({ headers }: IncomingMessage): boolean {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return mediaType === undefined || (answeredMediaTypes as readonly string[]).includes(mediaType);
}

/** Lets the authorizer decide and puts its context into the event; the type of the refusal when it may not pass. */
async function authorize(
  { functions, usagePlans, nowMs, onFault }: GatewayOptions,
  event: APIGatewayProxyEvent,
): Promise<GatewayResponseType | undefined> {
  const request = authorizerEvent(event);
  let verdict: APIGatewayAuthorizerResult;
  try {
    verdict = await functions.authorizer(request);
  } catch (error) {
    onFault(error);
    return 'AUTHORIZER_FAILURE';
  }
  if (!allows(verdict.policyDocument, request.methodArn)) return 'ACCESS_DENIED';
  const admission = usagePlans.admit(verdict.usageIdentifierKey, nowMs());
  if (admission === 'unknown') return 'INVALID_API_KEY';
  if (admission === 'throttled') return 'THROTTLED';
  event.requestContext.authorizer = { ...verdict.context, principalId: verdict.principalId };
  return undefined;
}

function sendGatewayResponse(
  response: ServerResponse,
  type: GatewayResponseType,
  request: IncomingMessage,
  event: APIGatewayProxyEvent | undefined,
  rootUrl: string,
  allow?: readonly string[],
): void {
  const answer = gatewayResponses[type];
  const requestId = event?.requestContext.requestId ?? randomUUID();
  const headers = allow ? refusalHeadersFor(allow) : gatewayHeaders(answer);
  const body = gatewayBody(answer, requestId, rootUrl, allow && { allow });
  response.writeHead(gatewayStatus(answer), {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** In base64, as the API takes every media type for binary. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const body = await bodyOf(request, bodyBytesMax);
  if (!body) throw new RequestTooLarge('The body is too long.');
  return body.length === 0 ? null : body.toString('base64');
}

/** Whether a policy lets a method be called: one statement allows it, and none denies it. */
export function allows(policy: PolicyDocument, methodArn: string): boolean {
  const effects = policy.Statement.flatMap((statement) => {
    const resources = 'Resource' in statement ? [statement.Resource].flat() : [];
    return resources.some((pattern) => matches(String(pattern), methodArn)) ? [statement.Effect] : [];
  });
  return effects.includes('Allow') && !effects.includes('Deny');
}

/** `*` stands for any text, `?` for one character. */
function matches(pattern: string, arn: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(arn);
}

/** Whether a value is what a proxy integration may answer; API Gateway turns anything else into 502. */
function isProxyResult(value: unknown): value is APIGatewayProxyResult {
  if (typeof value !== 'object' || value === null) return false;
  const { statusCode, body, headers } = value as Partial<APIGatewayProxyResult>;
  const isStatus = Number.isInteger(statusCode) && Number(statusCode) >= 100 && Number(statusCode) <= 599;
  return (
    isStatus &&
    (body === undefined || typeof body === 'string') &&
    (headers === undefined || typeof headers === 'object')
  );
}

/** API Gateway states the length itself, and renames one that a function states. */
const remapped = (name: string) =>
  name.toLowerCase() === 'content-length' ? 'x-amzn-remapped-content-length' : name;

function sendProxyResult(response: ServerResponse, result: APIGatewayProxyResult, method: string): void {
  const { statusCode, headers = {}, multiValueHeaders = {}, body = '', isBase64Encoded } = result;
  const sent: Record<string, string | string[] | number> = {};
  for (const name in headers) sent[remapped(name)] = String(headers[name]);
  for (const name in multiValueHeaders) sent[name] = (multiValueHeaders[name] ?? []).map(String);
  // A text leaves with its head in one piece.
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const isEmpty = statusCode === 204 || statusCode === 304;
  if (method !== 'HEAD' && !isEmpty) sent['Content-Length'] = Buffer.byteLength(content);
  response.writeHead(statusCode, sent);
  response.end(method === 'HEAD' ? undefined : content);
}
