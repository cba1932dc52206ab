/** Tests the local gateway over HTTP: the events of functions, and the responses to callers. */

import { type IncomingHttpHeaders, request } from 'node:http';
import { PassThrough } from 'node:stream';
import type {
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { createGateway, type Gateway } from '../../local/gateway';
import { startFixture } from '../fakes/fixture';
import { listenOnLoopback } from '../fakes/loopback';

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const makePolicy = (Effect: 'Allow' | 'Deny') => ({
  principalId: 'p',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: '*' }],
  },
  context: { caller: 'live' },
});

let gateway: Gateway;
let authorizerEvents: APIGatewayRequestAuthorizerEvent[];
let handled: APIGatewayProxyEvent[];
let faults: unknown[];
let authorize: () => Promise<ReturnType<typeof makePolicy>>;
let handle: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
let isWaitedFor: (caller: string) => boolean;

const server = startFixture(() => listenOnLoopback((incoming, response) => void gateway(incoming, response)));
beforeEach(() => {
  [authorizerEvents, handled, faults] = [[], [], []];
  authorize = async () => makePolicy('Allow');
  isWaitedFor = () => false;
  handle = async () => ({ statusCode: 200, headers: { 'X-Made': 'yes' }, body: 'made' });
  gateway = createGateway({
    functions: {
      authorizer: (event) => {
        authorizerEvents.push(event);
        return authorize() as never;
      },
      api: (event) => {
        handled.push(event);
        return handle(event);
      },
    },
    runInTurn: async (caller, work) => (isWaitedFor(caller) ? undefined : work()),
    nowMs: () => Date.UTC(2026, 10, 21),
    rootUrl: server.address,
    onFault: (error) => faults.push(error),
  });
});

/** Sends the path unchanged; `fetch` and `URL` would normalise it. */
const call = (path: string, method = 'GET', headers: Record<string, string | string[]> = {}, body?: string) =>
  new Promise<Reply>((resolve, reject) => {
    const { hostname, port } = new URL(server.address);
    const options = { hostname, port, path, method, headers, agent: false };
    const clientRequest = request(options, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, headers, body: Buffer.concat(await response.toArray()).toString() });
    });
    clientRequest.on('error', reject).end(body);
  });

test('a function gets all values of parameters and headers', async () => {
  await call('/api/image?query=mountain%20lake&query=a+b&t&u=%2525&=x&a%20b=c=d', 'GET', {
    'X-Twice': ['one', 'two'],
    Host: 'evil.example',
  });
  const event = handled[0];
  expect({ ...event?.multiValueQueryStringParameters }).toEqual({
    query: ['mountain lake', 'a b'],
    t: [''],
    u: ['%25'],
    '': ['x'],
    'a b': ['c=d'],
  });
  expect(event?.queryStringParameters).toMatchObject({ query: 'a b' });
  expect(event?.multiValueHeaders).toMatchObject({
    'X-Twice': ['one', 'two'],
    'X-Forwarded-Proto': ['http'],
  });
  expect(event?.requestContext.authorizer).toEqual({ principalId: 'p', caller: 'live' });
  // Whatever host a request names.
  expect(event?.requestContext.domainName).toBe(new URL(server.address).host);
});

test.each([
  ['/api/image', '/api/{proxy+}', { proxy: 'image' }],
  ['/api/image/800x600-a/b%2Fc', '/api/{proxy+}', { proxy: 'image/800x600-a/b%2Fc' }],
  ['/mcp', '/mcp', null],
  ['/v1/models', '/v1/{proxy+}', { proxy: 'models' }],
  ['/', '/', null],
  ['/no/where', '/{proxy+}', { proxy: 'no/where' }],
  ['http://elsewhere.example/api/usage', '/api/{proxy+}', { proxy: 'usage' }],
])('the path %s belongs to the resource %s', async (path, resource, pathParameters) => {
  await call(path);
  expect(handled[0]).toMatchObject({ resource, pathParameters });
});

test.each(['/api', '/api/', '/v1'])('the path %s belongs to no resource', async (path) => {
  expect(await call(path)).toMatchObject({ status: 404, body: expect.stringContaining('"not_found"') });
  expect(handled).toEqual([]);
});

test.each([204, 304])('a response with the status %d has no body', async (statusCode) => {
  handle = async () => ({ statusCode, headers: { ETag: '"a"' }, body: '' });
  const { status, headers, body } = await call('/');
  expect([status, headers.etag, headers['content-length'], body]).toEqual([statusCode, '"a"', undefined, '']);
});

test('a function gets a body of up to 10 MiB in base64', async () => {
  await call('/api/images', 'POST', {}, 'höhe');
  expect(handled[0]).toMatchObject({
    body: Buffer.from('höhe').toString('base64'),
    isBase64Encoded: true,
  });
  expect(authorizerEvents[0]).not.toHaveProperty('body');
  const long = 'x'.repeat(10 * 1024 * 1024 + 1);
  expect(await call('/api/images', 'POST', {}, long)).toMatchObject({ status: 413 });
});

test('the authorizer gets method and path of a route that needs a credential', async () => {
  await call('/api/usage', 'HEAD');
  await call('/llms.txt');
  expect(authorizerEvents).toMatchObject([
    { type: 'REQUEST', methodArn: expect.stringMatching(/\/HEAD\/api\/usage$/) },
  ]);
});

test.each([
  ['that denies leads to 401', () => makePolicy('Deny'), 401, 'invalid_api_key'],
  ['that allows leads to the function', () => makePolicy('Allow'), 200, undefined],
  ['that fails leads to 503', () => Promise.reject(new Error('burns')), 503, 'service_unavailable'],
])('an authorizer %s', async (_, verdict, status, code) => {
  authorize = async () => verdict();
  const reply = await call('/api/usage');
  expect(reply.status).toBe(status);
  if (code) expect(JSON.parse(reply.body)).toMatchObject({ code, status });
  expect(reply.body).not.toContain('burns');
});

test('the response of a function is sent unchanged', async () => {
  handle = async () => ({ statusCode: 302, headers: { Location: 'https://a.example' }, body: 'höhe' });
  for (const [method, body] of [
    ['GET', 'höhe'],
    ['HEAD', ''],
  ] as const)
    expect(await call('/api/image', method)).toMatchObject({
      status: 302,
      body,
      headers: { location: 'https://a.example' },
    });
  expect((await call('/api/image')).headers['content-length']).toBe('5');
  handle = async () => ({
    statusCode: 200,
    body: Buffer.from('ÿ').toString('base64'),
    isBase64Encoded: true,
  });
  expect((await call('/api/image')).body).toBe('ÿ');
});

test('a failure of a function is 503 without its message', async () => {
  handle = async () => Promise.reject(new Error('the table burns'));
  const reply = await call('/api/image');
  expect(JSON.parse(reply.body)).toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(reply.body).not.toContain('burns');
  expect(faults).toHaveLength(1);
});

test('a caller who aborts an upload gets no response, and calls no function', async () => {
  const upload = Object.assign(new PassThrough(), { url: '/api/images', method: 'POST' });
  upload.destroy(new Error('aborted'));
  expect(await gateway(upload as never, {} as never)).toBeUndefined();
  expect([handled, faults]).toEqual([[], []]);
});

test('a caller with too many waiting requests gets 429', async () => {
  isWaitedFor = (caller) => caller === makePolicy('Allow').principalId;
  const reply = await call('/api/usage');
  expect(JSON.parse(reply.body)).toMatchObject({ status: 429, code: 'rate_limited' });
  expect([reply.headers['retry-after'], handled]).toEqual(['1', []]);
});
