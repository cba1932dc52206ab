/** The handler of all functions behind API Gateway: methods, headers, refusals and errors. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { DeadlineReached } from '../../lambda/base/deadline';
import { Outage } from '../../lambda/base/outage';
import { computeMonthWindow } from '../../lambda/base/window';
import { type Api, createHttpHandler, type HttpServices, type Route } from '../../lambda/http/http-handler';
import type { HttpRequest } from '../../lambda/http/http-request';
import { makeJsonResponse } from '../../lambda/http/http-response';
import { ErrorAfterCharge } from '../../lambda/quota/payment';
import { createDeferred, createVirtualClock, isSettled } from '../fakes/clock';
import { type EventOptions, makeRestEvent } from '../fakes/rest-event';
import { createRecordedTelemetry } from '../fakes/telemetry';

const answerOk: Route<HttpServices> = () => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain' },
  body: 'served',
});
const imageTag = { 'sec-FETCH-dest': 'image' };

function createService(routes: Api<HttpServices>['routes'], hooks: Partial<Api<HttpServices>> = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const handler = createHttpHandler({ clock, telemetry }, { routes, ...hooks });
  const ask = async (options: EventOptions) => {
    const { statusCode, headers = {}, body } = await handler(makeRestEvent(options));
    return { status: statusCode, headers, body };
  };
  return { clock, telemetry, ask, handler };
}

test('a route gets the root URL of the service', async () => {
  const { ask } = createService({ '/read': { GET: ({ rootUrl }) => makeJsonResponse(rootUrl) } });
  expect((await ask({ method: 'GET', path: '/read' })).body).toBe('"https://img.example"');
});

describe('createHttpHandler with routes', () => {
  const { ask } = createService({
    '/read': { GET: answerOk },
    '/write': { POST: answerOk },
    '/both': { GET: answerOk, POST: () => ({ status: 202, headers: {}, body: 'accepted' }) },
  });

  test.each([
    ['GET', '/read', 200, 'served'],
    ['HEAD', '/read', 200, ''],
    ['POST', '/write', 200, 'served'],
    ['GET', '/both', 200, 'served'],
    ['POST', '/both', 202, 'accepted'],
  ])('%s %s is answered', async (method, path, status, body) => {
    expect(await ask({ method, path })).toMatchObject({ status, body });
  });

  test.each([
    ['/read', 'GET, HEAD, OPTIONS'],
    ['/write', 'POST, OPTIONS'],
    ['/both', 'GET, HEAD, POST, OPTIONS'],
  ])('a preflight of %s is answered with its methods', async (path, methods) => {
    const { status, headers, body } = await ask({ method: 'OPTIONS', path });
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers).toMatchObject({ Allow: methods, 'Access-Control-Allow-Methods': methods });
    expect([headers['Access-Control-Max-Age'], headers['Access-Control-Allow-Headers']]).toEqual([
      '86400',
      'Authorization, X-API-Key, Accept, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
    ]);
  });

  test.each([
    ['POST', '/read', 'GET, HEAD, OPTIONS'],
    ['GET', '/write', 'POST, OPTIONS'],
    ['HEAD', '/write', 'POST, OPTIONS'],
    ['DELETE', '/both', 'GET, HEAD, POST, OPTIONS'],
    ['toString', '/both', 'GET, HEAD, POST, OPTIONS'],
  ])('%s %s is refused with the methods of its resource', async (method, path, allow) => {
    const { status, headers } = await ask({ method, path });
    expect(status).toBe(405);
    expect(headers['Allow']).toBe(allow);
  });

  test('an unknown resource is answered with 404', async () => {
    const { status, body } = await ask({ path: '/elsewhere' });
    expect([status, JSON.parse(body)]).toMatchObject([404, { code: 'not_found', requestId: 'request-1' }]);
  });
});

describe('the responses of createHttpHandler', () => {
  test.each([
    ['a result', answerOk],
    ['a refusal', () => ({ refusal: { code: 'no_image_found' as const } })],
    ['a fault', () => Promise.reject(new Error('broken'))],
  ])('the response to %s has CORS headers and its time', async (_, answer) => {
    const answerSlowly: Route<HttpServices> = async (services, request) => {
      await clock.advance(120);
      return answer(services, request);
    };
    const { ask, clock } = createService({ '/': { GET: answerSlowly } });
    expect((await ask({})).headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': expect.stringContaining('X-RateLimit-Remaining'),
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Response-Time': '120ms',
    });
  });
});

test('a response has no Content-Length, because API Gateway adds it', async () => {
  const { ask } = createService({ '/': { GET: () => ({ status: 302, headers: {}, body: '{}' }) } });
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(Object.keys((await ask({ method })).headers)).not.toContain('Content-Length');
});

test.each([true, false])('a response marks its body as binary or not: %s', async (isBase64) => {
  const { handler } = createService({
    '/': { GET: () => ({ status: 200, headers: {}, body: 'AAAA', isBase64 }) },
  });
  expect(await handler(makeRestEvent({}))).toMatchObject({ body: 'AAAA', isBase64Encoded: isBase64 });
});

describe('createHttpHandler after a refusal', () => {
  const refuse: Route<HttpServices> = () => ({ refusal: { code: 'no_image_found' } });

  test('a refusal is counted by its code and explained under the root of the service', async () => {
    const { ask, telemetry } = createService({ '/': { GET: refuse } });
    const { status, headers, body } = await ask({ prefix: '/prod' });
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      Vary: 'Accept, Authorization, Sec-Fetch-Dest, X-API-Key',
    });
    expect(JSON.parse(body).type).toBe('https://img.example/prod/#no_image_found');
    expect(telemetry.counts).toEqual([{ metric: 'refusals', dimensions: { code: 'no_image_found' } }]);
  });

  test('a refusal that a test value asks for is in no metric', async () => {
    const refuseTest: Route<HttpServices> = () => ({ refusal: { code: 'no_image_found', isTest: true } });
    const { ask, telemetry } = createService({ '/': { GET: refuseTest } });
    expect((await ask({})).status).toBe(404);
    expect(telemetry.counts).toEqual([]);
  });

  test('a refusal is counted in the usage before it is answered', async () => {
    const counting = createDeferred<void>();
    const { ask } = createService({ '/': { GET: refuse } }, { countRefusal: () => counting.promise });
    const answer = ask({});
    expect(await isSettled(answer)).toBe(false);
    counting.resolve();
    expect((await answer).status).toBe(404);
  });

  test('a refused image load is answered with a card', async () => {
    const { ask } = createService({ '/': { GET: refuse } });
    const card = await ask({ headers: imageTag, query: { width: ['320'], height: ['200'] } });
    expect(card.headers).toMatchObject({ 'X-Image-Fallback': 'no_image_found' });
    expect(card.body).toMatch(/^<svg [^>]*width="320" height="200"/);
  });
});

describe('createHttpHandler after an error', () => {
  test('a fault shows in logs and metrics, not in its answer', async () => {
    const failWithSecret: Route<HttpServices> = () => Promise.reject(new Error('secret detail'));
    const { handler, telemetry } = createService({ '/': { GET: failWithSecret } });
    const run = handler as (event: APIGatewayProxyEvent, context: object) => ReturnType<typeof handler>;
    const context = { functionName: 'redirect', functionVersion: '7' };
    const { statusCode, body } = await run(makeRestEvent({}), context);
    expect(statusCode).toBe(500);
    expect(body).not.toContain('secret detail');
    expect(telemetry.errors).toMatchObject([
      { error: new Error('secret detail'), fields: { requestId: 'request-1' } },
    ]);
    expect(telemetry.counts).toContainEqual({
      metric: 'faults',
      dimensions: { function: 'redirect', version: '7' },
    });
  });

  test('a fault after a charge keeps the rate limit headers', async () => {
    const rateLimit = { limit: 50, remaining: 49, window: computeMonthWindow(createVirtualClock().nowMs()) };
    const fault = new ErrorAfterCharge({ state: 'refunded', units: [], rateLimit }, new Error('broken'));
    const { ask } = createService({ '/': { GET: () => Promise.reject(fault) } });
    expect(await ask({})).toMatchObject({ status: 500, headers: { 'X-RateLimit-Remaining': '49' } });
  });

  test.each([
    ['a dependency that did not answer', new Outage('no answer')],
    ['one behind another error', new Error('broken', { cause: new Outage('no answer') })],
    ['a deadline that was reached', new DeadlineReached()],
  ])('%s is an outage that no alarm counts', async (_, error) => {
    const { ask, telemetry } = createService({ '/': { GET: () => Promise.reject(error) } });
    const { status, headers, body } = await ask({});
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'Retry-After': '5' });
    expect(JSON.parse(body).code).toBe('service_unavailable');
    expect(telemetry.countRecorded('faults')).toBe(0);
    expect(telemetry.errors).toMatchObject([{ error }]);
  });

  test('a refusal at the deadline does not promise that the request was free', async () => {
    const { ask } = createService({
      '/late': { GET: () => Promise.reject(new DeadlineReached()) },
      '/free': { GET: () => Promise.reject(new Outage('no answer')) },
    });
    expect((await ask({ path: '/late' })).body).not.toContain('not charged');
    expect((await ask({ path: '/free' })).body).toContain('not charged');
  });

  test('even a route that throws synchronously gets a response', async () => {
    const throwBroken = () => {
      throw new Error('broken');
    };
    const { ask } = createService({ '/': { GET: throwBroken } });
    expect(await ask({ method: 'HEAD' })).toMatchObject({ status: 500, body: '' });
  });
});

describe('the requests of createHttpHandler', () => {
  test('a route gets the headers, caller and body of the event', async () => {
    const route = jest.fn((_: unknown, request: HttpRequest) => makeJsonResponse(request));
    const { handler } = createService({ '/': { POST: route } });
    const context = { caller: 'live', account: 'acc_1', plan: 'pro', keyId: 'key_1' };
    const event = makeRestEvent({ method: 'POST', context });
    const multiValueHeaders = { 'X-tag': ['one'], 'x-TAG': ['two', 'three'] };
    await handler({ ...event, multiValueHeaders, body: 'eyJ9', isBase64Encoded: true });
    const [[, request] = []] = route.mock.calls;
    expect([request?.getHeader('x-tag'), request?.getHeader('accept')]).toEqual([
      'one, two, three',
      undefined,
    ]);
    expect(request).toMatchObject({
      caller: { kind: 'live', account: 'acc_1' },
      body: { text: 'eyJ9', isBase64: true },
      query: {},
      pathParameters: {},
    });
  });
});
