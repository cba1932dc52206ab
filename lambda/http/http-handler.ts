/** The HTTP handler. It bounds the time of a request, and writes refusals as problems or cards. */

import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../base/clock';
import { createDeadline, type Deadline, DeadlineReached, runUntil } from '../base/deadline';
import type { Telemetry } from '../base/telemetry';
import { corsHeaders, writePreflightHeaders } from '../contract/headers';
import { arrivalSkewMsMax, closingReserveMs, requestBudgetMs } from '../contract/timeouts';
import { hasPublishedCredential } from '../credentials/caller';
import { type KeyIssuer, type Refusal, refuseByError } from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';
import { addPaymentToRefusal, findPaymentOfError } from '../quota/payment';
import { writeRequestNote } from '../requests/ignored-note';
import { readRequestedSize } from '../requests/parse-request';
import { isImageLoad } from './accept';
import { makeCardResponse } from './error-card';
import { createRouteMatcher, type HttpRequest, readHttpRequest } from './http-request';
import type { HttpRefusal, HttpResponse, HttpResult } from './http-response';
import { makeProblemDocument, makeProblemResponse } from './problem-response';

export interface HttpServices {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** The services of an instance, with the deadline of one request and the root URL as its caller sees it. */
type RequestServices<Services> = Services & { readonly deadline: Deadline; readonly rootUrl: string };

/** Responds to one method of a resource. An error that it throws is logged and becomes a refusal. */
export type Route<Services> = (
  services: RequestServices<Services>,
  request: HttpRequest,
) => HttpResult | Promise<HttpResult>;

/** Routes by method. HEAD runs GET and drops the body. OPTIONS lists these methods for a preflight. */
export type RoutesByMethod<Services> = Readonly<
  Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Route<Services>>>
>;

/** The routes of an API, and two hooks: one writes problems, one counts refusals. */
export interface Api<Services> {
  /** Resource (`/api/image/{spec+}`) → method → route. The first resource that fits is taken. */
  readonly routes: Readonly<Record<string, RoutesByMethod<Services>>>;
  /** Writes a problem in the shape that the clients of a route read. `undefined` means the usual shape. */
  readonly shapeProblem?: (
    request: HttpRequest,
    problem: ProblemDocument,
    headers: HttpResponse['headers'],
  ) => HttpResponse | undefined;
  /** Adds a refusal to the usage of its caller, before the response is sent. Never throws. */
  readonly countRefusal?: (
    services: RequestServices<Services>,
    request: HttpRequest,
    refusal: Refusal,
  ) => Promise<void>;
  /** Refusals of requests without a key name it. */
  readonly keyIssuer?: KeyIssuer;
  /** The root URL of the service behind a distribution. By default it is the root URL of the API. */
  readonly rootUrl?: string | undefined;
}

/** A handler of REST proxy events. It rejects nothing but events of another form. */
export type HttpHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** Creates the handler for Lambda. It responds within the budget of a request, even if a call hangs. */
export function createHttpHandler<Services extends HttpServices>(
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
      const refusal = refuseAfterError(services, event as HttpRequest, error, context);
      return respond(services, api, event as HttpRequest, refusal);
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
  // When a clock is wrong, a request must neither end before its start nor wait without end.
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
  context: Partial<Context> = {},
): HttpRefusal {
  telemetry.error('A request failed', error, { requestId });
  const payment = findPaymentOfError(error);
  const paidRefusal = addPaymentToRefusal({ refusal: refuseByError(error), ...(payment && { payment }) });
  const refusal: Refusal =
    error instanceof DeadlineReached ? { ...paidRefusal, mayBeCharged: true } : paidRefusal;
  const { functionName = '', functionVersion = '' } = context;
  if (refusal.code === 'internal_error')
    telemetry.count('faults', { function: functionName, version: functionVersion });
  return { refusal, ...(payment?.rateLimit && { rateLimit: payment.rateLimit }) };
}

async function respond<Services extends HttpServices>(
  services: Services,
  api: Api<Services>,
  request: HttpRequest,
  result: HttpResult,
): Promise<APIGatewayProxyResult> {
  const response = 'refusal' in result ? await writeRefusal(services, api, request, result) : result;
  const durationMs = Math.max(0, Math.round(services.clock.nowMs() - request.startedMs));
  return {
    statusCode: response.status,
    headers: { ...corsHeaders, 'X-Response-Time': `${durationMs}ms`, ...hideRateLimit(request, response) },
    body: request.method === 'HEAD' ? '' : response.body,
    isBase64Encoded: response.isBase64 ?? false,
  };
}

/** Hides the rate limit of the account in the response to a visitor of a page. */
function hideRateLimit({ caller }: HttpRequest, { headers }: HttpResponse): HttpResponse['headers'] {
  if ('refusal' in caller || !hasPublishedCredential(caller)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(X-)?RateLimit/.test(name)));
}

async function runRoute<Services>(
  services: RequestServices<Services>,
  routes: Api<Services>['routes'],
  request: HttpRequest,
): Promise<HttpResult> {
  const routesByMethod = routes[request.resource];
  if (!routesByMethod) return { refusal: { code: 'not_found' } };
  const { method } = request;
  const ownMethods = Object.keys(routesByMethod).flatMap((name) =>
    name === 'GET' ? ['GET', 'HEAD'] : [name],
  );
  const allow = [...ownMethods, 'OPTIONS'];
  if (method === 'OPTIONS') return { status: 204, headers: writePreflightHeaders(allow), body: '' };
  const route = allow.includes(method) && routesByMethod[(method === 'HEAD' ? 'GET' : method) as 'GET'];
  return route ? route(services, request) : { refusal: { code: 'method_not_allowed' }, allow };
}

async function writeRefusal<Services extends HttpServices>(
  services: Services,
  { shapeProblem, countRefusal, keyIssuer }: Api<Services>,
  request: HttpRequest,
  { refusal, ...refusalFields }: HttpRefusal,
): Promise<HttpResponse> {
  const { requestId, rootUrl, getHeader, query, pathParameters } = request;
  if (!refusal.isTest) services.telemetry.count('refusals', { code: refusal.code });
  // The usage may take `usageWaitMsMax`, even when the request has used up its time.
  await countRefusal?.({ ...services, deadline: createDeadline(Infinity), rootUrl }, request, refusal);
  const problemRequest = {
    ...refusalFields,
    ...keyIssuer,
    requestId,
    rootUrl,
    nowMs: services.clock.nowMs(),
    note: writeRequestNote(request),
    page: getHeader('origin') ?? getHeader('referer'),
  };
  const accept = getHeader('accept');
  const problem = makeProblemResponse(refusal, problemRequest);
  if (isImageLoad(getHeader('sec-fetch-dest'), accept)) {
    // A mistyped path (`/API/image/300x200-sea`) has a size too: the page keeps its layout.
    const { spec = /(?:^|\/)(\d.*)$/s.exec(pathParameters['path'] ?? '')?.[1] } = pathParameters;
    const size = readRequestedSize({ query, pathParameters: { spec } });
    return makeCardResponse(problem, refusal, { ...problemRequest, size, accept });
  }
  return shapeProblem?.(request, makeProblemDocument(refusal, problemRequest), problem.headers) ?? problem;
}
