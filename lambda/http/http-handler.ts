/** The HTTP handler: reads events, bounds the time of a request, and writes refusals as problems or cards. */

import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Clock } from '../base/clock';
import { createDeadline, type Deadline, DeadlineReached, runUntil } from '../base/deadline';
import type { Telemetry } from '../base/telemetry';
import { corsHeaders, writePreflightHeaders } from '../contract/headers';
import { arrivalSkewMsMax, closingReserveMs, requestBudgetMs } from '../contract/timeouts';
import { hasPublishedCredential } from '../credentials/caller';
import { type Refusal, refusalAfterError } from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { readPaymentOfError, refusalAfterPayment } from '../quota/payment';
import { noteOnRequest } from '../requests/ignored-note';
import { readRequestedSize } from '../requests/parse-request';
import type { Size } from '../requests/rendition';
import { isImageLoad } from './accept';
import { cardResponse } from './error-card';
import { type HttpRequest, readHttpRequest } from './http-request';
import type { HttpRefusal, HttpResponse, HttpResult } from './http-response';
import { createRouteMatcher } from './match-route';
import { problemDocument, problemResponse } from './problem-response';

export interface HttpServices {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** The services of an instance, with deadline and root URL (as the caller sees it) of one request. */
type RequestServices<Services> = Services & { readonly deadline: Deadline; readonly rootUrl: string };

/** Answers one method of a resource. What it throws is logged, and becomes a refusal. */
export type Route<Services> = (
  services: RequestServices<Services>,
  request: HttpRequest,
) => HttpResult | Promise<HttpResult>;

/** Routes by method. HEAD is answered by GET without the body, OPTIONS by a preflight with these methods. */
export type RoutesByMethod<Services> = Readonly<
  Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Route<Services>>>
>;

/** Routes, with two hooks of theirs: how a problem is written, and which refusals are counted. */
export interface Api<Services> {
  /** Resource (`/api/image/{spec+}`) → method → route; the first that fits. The rest is 404 or 405. */
  readonly routes: Readonly<Record<string, RoutesByMethod<Services>>>;
  /** Writes a problem in the shape that the clients of a route read; `undefined` for the usual one. */
  readonly shapeProblem?: (
    request: HttpRequest,
    problem: ProblemDocument,
    headers: HttpResponse['headers'],
  ) => HttpResponse | undefined;
  /** Adds a refusal to the usage of its caller, before it is answered; never throws. */
  readonly countRefusal?: (
    services: RequestServices<Services>,
    request: HttpRequest,
    refusal: Refusal,
  ) => Promise<void>;
  /** Contact of the operator, who issues keys: an e-mail address or a URL; absent if none is set. */
  readonly contact?: string | undefined;
  /** Root of the service behind a distribution; by default that of the API. */
  readonly rootUrl?: string | undefined;
}

/** A handler of REST proxy events. It rejects only events of another form. */
export type HttpHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** Makes the handler that Lambda calls. A request is answered within its budget, also while a call hangs. */
export function httpHandler<Services extends HttpServices>(
  services: Services,
  api: Api<Services>,
): HttpHandler {
  const match = createRouteMatcher(Object.keys(api.routes));
  const middleware: MiddlewareObj<unknown, unknown> = {
    before: (exchange) => {
      const event = exchange.event as APIGatewayProxyEvent;
      exchange.event = readHttpRequest(event, match, services.clock.nowMs(), api.rootUrl);
    },
    after: ({ event, response }) => respond(services, api, event as HttpRequest, response as HttpResult),
    onError: ({ error, context, event }) => {
      const { functionName = '', functionVersion: version = '' } = context ?? {};
      const refused = refuseAfterError(services, event as HttpRequest, error, { functionName, version });
      return respond(services, api, event as HttpRequest, refused);
    },
  };
  const handle = (request: HttpRequest) => runInTime(services, api.routes, request);
  const handler: unknown = middy(handle, { timeoutEarlyInMillis: 0 }).use(middleware);
  return handler as HttpHandler;
}

/** Runs the route of a request, and throws `DeadlineReached` when the request's budget is used up. */
function runInTime<Services extends HttpServices>(
  services: Services,
  routes: Api<Services>['routes'],
  request: HttpRequest,
): Promise<HttpResult> {
  const { receivedMs, startedMs, rootUrl } = request;
  // A clock that is off must neither end a request before its start nor let it wait without end.
  const arrivedMs = Math.min(startedMs, Math.max(receivedMs, startedMs - arrivalSkewMsMax));
  const deadline = createDeadline(arrivedMs + requestBudgetMs - closingReserveMs);
  return runUntil(services.clock, arrivedMs + requestBudgetMs, async () =>
    runRoute({ ...services, deadline, rootUrl }, routes, request),
  );
}

function refuseAfterError(
  { telemetry }: HttpServices,
  { requestId }: HttpRequest,
  error: unknown,
  { functionName, version }: { readonly functionName: string; readonly version: string },
): HttpRefusal {
  telemetry.error('A request failed', error, { requestId });
  const payment = readPaymentOfError(error);
  const known = refusalAfterPayment({ refusal: refusalAfterError(error), ...(payment && { payment }) });
  const refusal: Refusal = error instanceof DeadlineReached ? { ...known, mayBeCharged: true } : known;
  if (refusal.code === 'internal_error') telemetry.count('faults', { function: functionName, version });
  return { refusal, ...(payment?.rateLimit && { rateLimit: payment.rateLimit }) };
}

async function respond<Services extends HttpServices>(
  services: Services,
  api: Api<Services>,
  request: HttpRequest,
  result: HttpResult,
): Promise<APIGatewayProxyResult> {
  const isRefused = 'refusal' in result;
  const response = isRefused ? await writeRefusal(services, api, request, result) : result;
  const tookMs = Math.max(0, Math.round(services.clock.nowMs() - request.startedMs));
  return {
    statusCode: response.status,
    headers: { ...corsHeaders, 'X-Response-Time': `${tookMs}ms`, ...hideRateLimit(request, response) },
    body: request.method === 'HEAD' ? '' : response.body,
    isBase64Encoded: response.isBase64 ?? false,
  };
}

/** Completes the headers of a response; visitors of a page get none of the account's rate limit. */
function hideRateLimit({ caller }: HttpRequest, { headers }: HttpResponse): HttpResponse['headers'] {
  if ('refusal' in caller || !hasPublishedCredential(caller)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(X-)?RateLimit/.test(name)));
}

async function runRoute<Services>(
  services: RequestServices<Services>,
  routes: Api<Services>['routes'],
  request: HttpRequest,
): Promise<HttpResult> {
  const byMethod = routes[request.resource];
  if (!byMethod) return { refusal: { code: 'not_found' } };
  const { method } = request;
  const allow = Object.keys(byMethod).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  allow.push('OPTIONS');
  if (method === 'OPTIONS') return { status: 204, headers: writePreflightHeaders(allow), body: '' };
  const route = allow.includes(method) && byMethod[(method === 'HEAD' ? 'GET' : method) as 'GET'];
  return route ? route(services, request) : { refusal: { code: 'method_not_allowed' }, allow };
}

async function writeRefusal<Services extends HttpServices>(
  services: Services,
  { shapeProblem, countRefusal, contact }: Api<Services>,
  request: HttpRequest,
  { refusal, ...refusalFields }: HttpRefusal,
): Promise<HttpResponse> {
  const { requestId, rootUrl, header } = request;
  services.telemetry.count('refusals', { code: refusal.code });
  // Usage is waited for `usageWaitMsMax` at most, also where the request has used up its time.
  await countRefusal?.({ ...services, deadline: createDeadline(Infinity), rootUrl }, request, refusal);
  const details = {
    ...refusalFields,
    requestId,
    rootUrl,
    contact,
    nowMs: services.clock.nowMs(),
    note: noteOnRequest(request),
    page: header('origin') ?? header('referer'),
  };
  const accept = header('accept');
  const problem = problemResponse(refusal, details);
  if (isImageLoad(header('sec-fetch-dest'), accept))
    return cardResponse(problem, refusal, { ...details, size: readCardSize(request), accept });
  return shapeProblem?.(request, problemDocument(refusal, details), problem.headers) ?? problem;
}

/** Reads the size in a URL, also a mistyped one (`/API/image/300x200-sea`): a page keeps its layout. */
function readCardSize(request: HttpRequest): Size {
  const path = request.pathParameters['path'];
  if (path === undefined) return readRequestedSize(request);
  const spec = /(?:^|\/)(\d.*)$/s.exec(path)?.[1];
  return readRequestedSize({ query: request.query, pathParameters: { spec } });
}
