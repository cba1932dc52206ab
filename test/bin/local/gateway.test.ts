/** The local gateway over real HTTP, with scripted functions behind it: it must do what API Gateway does. */

import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';
import { createGateway, type Gateway } from '../../../bin/local/gateway';
import { createUsagePlans, type Throttle } from '../../../bin/local/usage-plans';
import type { Tier } from '../../../lambda/contract';
import { problems } from '../../../lambda/domain/problem';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const everything = {
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*' }],
};
const nothing = {
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect: 'Deny', Resource: '*' }],
};

describe('the local gateway', () => {
  let server: Loopback;
  let gateway: Gateway;
  let nowMs: number;
  let asked: APIGatewayRequestAuthorizerEvent[];
  let handled: { name: string; event: APIGatewayProxyEvent }[];
  let faults: unknown[];
  let authorizer: (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;
  let answer: (event: APIGatewayProxyEvent) => Promise<unknown>;

  const admit = (tier: Tier, context = {}): APIGatewayAuthorizerResult => ({
    principalId: 'p',
    policyDocument: everything as never,
    context,
    usageIdentifierKey: `local-usage-plan-key-${tier}`,
  });

  /** Starts the gateway anew, with fresh throttles. */
  const open = (throttle: Throttle) => {
    const handlerNamed = (name: string) => async (event: APIGatewayProxyEvent) => {
      handled.push({ name, event });
      return (await answer(event)) as APIGatewayProxyResult;
    };
    gateway = createGateway({
      functions: {
        authorizer: async (event) => {
          asked.push(event);
          return authorizer(event);
        },
        handlers: {
          redirect: handlerNamed('redirect'),
          usage: handlerNamed('usage'),
          docs: handlerNamed('docs'),
        },
      },
      usagePlans: createUsagePlans(throttle),
      nowMs: () => nowMs,
      onFault: (error) => faults.push(error),
    });
  };

  beforeAll(async () => {
    server = await listenOnLoopback((incoming, response) => void gateway(incoming, response));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    nowMs = Date.parse('2026-11-21T12:00:00Z');
    open({ rate: 1_000, burst: 1_000 });
    asked = [];
    handled = [];
    faults = [];
    authorizer = async () => admit('anonymous', { caller: 'anonymous' });
    answer = async () => ({ statusCode: 200, headers: { 'X-Made': 'yes' }, body: 'made' });
  });

  /** Sends the path exactly as it is written; `fetch` and `URL` would tidy it up. */
  const call = (
    path: string,
    method = 'GET',
    headers: Record<string, string | string[]> = {},
    body?: string,
  ) =>
    new Promise<Reply>((resolve, reject) => {
      const { hostname, port } = new URL(server.address);
      const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });

  /** Sends bytes that a tidy client would not, and gives the status line. */
  const callRaw = (head: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(server.address);
      let text = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${head}\r\nHost: local\r\nConnection: close\r\n\r\n`),
      );
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
    });

  const expectProblem = (reply: Reply, status: number, code: keyof typeof problems) => {
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const document = JSON.parse(reply.body) as Record<string, unknown>;
    expect(document).toMatchObject({
      status,
      code,
      title: problems[code].title,
      type: `${server.address}/#${code}`,
    });
    expect(document['requestId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(document['detail']).toMatch(/\.$/);
  };

  describe('hands a request over', () => {
    it('with all values of every parameter and header, decoded once', async () => {
      await call('/api/image?query=mountain%20lake&query=a+b&t&u=%2525&=x&a%20b=c=d', 'GET', {
        'X-Twice': ['one', 'two'],
      });
      const event = handled[0]?.event;
      expect({ ...event?.multiValueQueryStringParameters }).toEqual({
        query: ['mountain lake', 'a b'],
        t: [''],
        u: ['%25'],
        '': ['x'],
        'a b': ['c=d'],
      });
      expect(event?.queryStringParameters).toMatchObject({ query: 'a b' });
      expect(event?.multiValueHeaders['X-Twice']).toEqual(['one', 'two']);
      expect(event?.headers['X-Twice']).toBe('two');
    });

    it('with null where there are no parameters', async () => {
      for (const path of ['/api/image', '/api/image?', '/api/image?&']) await call(path);
      for (const { event } of handled) {
        expect(event.multiValueQueryStringParameters).toBeNull();
        expect(event.pathParameters).toBeNull();
      }
    });

    it.each([
      '1080x1350-caf%C3%A9_terrace',
      '800x600-a%2Fb',
      '800x600-%2525',
      '800x600-50%',
      '800x600-a+b_c%20d',
      '800x600-%E3%81',
      "800x600-it's|a\\b",
      '..%2Fusage',
    ])('with the segment of its path still encoded: %s', async (segment) => {
      await call(`/api/image/${segment}?provider=ai`);
      expect(handled[0]?.event).toMatchObject({
        resource: '/api/image/{spec}',
        path: `/api/image/${segment}`,
        pathParameters: { spec: segment },
        multiValueQueryStringParameters: { provider: ['ai'] },
      });
    });

    it('with the address of the sender, whatever the sender says about it', async () => {
      await call('/api/image', 'GET', { 'X-Forwarded-For': '198.51.100.1' });
      expect(handled[0]?.event.requestContext.identity.sourceIp).toMatch(/^(::ffff:)?127\.0\.0\.1$/);
    });

    it('with header names as the sender wrote them, strange ones too', async () => {
      const reply = await call('/api/image', 'GET', {
        'x-API-key': 'k',
        constructor: 'c',
        toString: 't',
        __proto__x: 'p',
      });
      expect(reply.status).toBe(200);
      expect(handled[0]?.event.multiValueHeaders).toMatchObject({ 'x-API-key': ['k'], constructor: ['c'] });
      expect(await callRaw('GET /api/image?query=a HTTP/1.1\r\n__proto__: x')).toContain('200');
    });

    it('with an id of its own and the moment it came in', async () => {
      await Promise.all([call('/api/image'), call('/api/image')]);
      const contexts = handled.map(({ event }) => event.requestContext);
      expect(new Set(contexts.map(({ requestId }) => requestId)).size).toBe(2);
      expect(contexts.every(({ requestTimeEpoch }) => requestTimeEpoch === nowMs)).toBe(true);
    });

    it('with its body and method, where the authorizer is not asked', async () => {
      await call('/api/image', 'POST', {}, 'höhe');
      expect(handled[0]).toMatchObject({ name: 'redirect', event: { httpMethod: 'POST', body: 'höhe' } });
      expect(asked).toEqual([]);
      expect(handled[0]?.event.requestContext.authorizer).toBeUndefined();
    });

    it.each([
      ['/', 'docs', 'GET'],
      ['/openapi.json', 'docs', 'GET'],
      ['/llms.txt', 'docs', 'HEAD'],
      ['/api/usage', 'usage', 'GET'],
      ['/api/image', 'redirect', 'HEAD'],
      ['/api/image', 'redirect', 'OPTIONS'],
      ['/api/image/', 'redirect', 'GET'],
      ['/api/image/id/img_1', 'redirect', 'GET'],
      ['/api/image/id/img_1/', 'redirect', 'GET'],
    ])('for %s to the function %s on %s', async (path, name, method) => {
      await call(path, method);
      expect(handled.map((each) => each.name)).toEqual([name]);
    });

    it('for a permalink with the id and not as a picture named "id"', async () => {
      await call('/api/image/id/img_1');
      expect(handled[0]?.event.pathParameters).toEqual({ id: 'img_1' });
      await call('/api/image/id');
      expect(handled[1]?.event.pathParameters).toEqual({ spec: 'id' });
    });
  });

  describe('asks the authorizer', () => {
    it('with the same headers and parameters, and the address of the method', async () => {
      await call('/api/image/800x600-sea?api_key=a&api_key=b', 'HEAD', { 'x-api-KEY': 'k' });
      expect(asked[0]).toMatchObject({
        type: 'REQUEST',
        methodArn: expect.stringMatching(/^arn:aws:execute-api:[^/]+\/local\/HEAD\/api\/image\/800x600-sea$/),
        multiValueHeaders: { 'x-api-KEY': ['k'] },
        multiValueQueryStringParameters: { api_key: ['a', 'b'] },
      });
    });

    it('and hands its context on to the function', async () => {
      authorizer = async () => admit('pro', { caller: 'live', plan: 'pro' });
      await call('/api/image');
      expect(handled[0]?.event.requestContext.authorizer).toEqual({
        principalId: 'p',
        caller: 'live',
        plan: 'pro',
      });
    });

    it('only for the methods that need it', async () => {
      for (const [path, method] of [
        ['/api/image', 'OPTIONS'],
        ['/api/usage', 'POST'],
        ['/', 'GET'],
      ] as const)
        await call(path, method);
      expect(asked).toEqual([]);
      expect(handled).toHaveLength(3);
    });

    it('and answers a Deny with 401 and a problem document', async () => {
      authorizer = async () => ({ ...admit('anonymous'), policyDocument: nothing as never });
      expectProblem(await call('/api/usage'), 401, 'invalid_api_key');
      expect(handled).toEqual([]);
    });

    it('and takes a policy for other routes as a Deny', async () => {
      const elsewhere = {
        ...everything,
        Statement: [{ ...everything.Statement[0], Resource: 'arn:*/GET/api/image' }],
      };
      authorizer = async () => ({ ...admit('anonymous'), policyDocument: elsewhere as never });
      expectProblem(await call('/api/usage'), 401, 'invalid_api_key');
      expect((await call('/api/image')).status).toBe(200);
    });

    it('and answers its failure with 500, not with 401', async () => {
      authorizer = async () => {
        throw new Error('the table burns');
      };
      const reply = await call('/api/usage');
      expectProblem(reply, 500, 'internal_error');
      expect(reply.body).not.toContain('burns');
      expect(faults).toHaveLength(1);
    });

    it('and answers a tier that no usage plan has with 500', async () => {
      authorizer = async () => ({ ...admit('free'), usageIdentifierKey: 'nobody' });
      expectProblem(await call('/api/image'), 500, 'internal_error');
    });

    it('and throttles a tier beyond its burst until time has passed', async () => {
      authorizer = async () => admit('free');
      open({ rate: 2, burst: 3 });
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push((await call('/api/image')).status);
      expect(statuses).toEqual([200, 200, 200]);
      const throttled = await call('/api/image');
      expectProblem(throttled, 429, 'rate_limited');
      expect(throttled.headers['retry-after']).toBe('1');
      expect(handled).toHaveLength(3);
      nowMs += 500;
      expect((await call('/api/image')).status).toBe(200);
      expect((await call('/api/image')).status).toBe(429);
      authorizer = async () => admit('pro');
      expect((await call('/api/image')).status).toBe(200);
    });
  });

  describe('answers', () => {
    it('what the function made, with all its headers', async () => {
      answer = async () => ({
        statusCode: 302,
        headers: { Location: 'https://images.example.org/1', 'X-Number': 5 },
        multiValueHeaders: { Link: ['<a>', '<b>'] },
        body: '{"url":"…"}',
      });
      const reply = await call('/api/image');
      expect(reply).toMatchObject({ status: 302, body: '{"url":"…"}' });
      expect(reply.headers).toMatchObject({
        location: 'https://images.example.org/1',
        'x-number': '5',
        link: '<a>, <b>',
      });
    });

    it('bytes that came as base64', async () => {
      answer = async () => ({
        statusCode: 200,
        body: Buffer.from('ÿ').toString('base64'),
        isBase64Encoded: true,
      });
      expect((await call('/api/image')).body).toBe('ÿ');
    });

    it('HEAD without a body, its own refusals too', async () => {
      expect(await call('/api/image', 'HEAD')).toMatchObject({
        status: 200,
        body: '',
        headers: { 'x-made': 'yes' },
      });
      expect(await call('/nowhere', 'HEAD')).toMatchObject({ status: 404, body: '' });
    });

    it.each([
      '/nowhere',
      '/api',
      '/api/images',
      '/api/image/a/b',
      '/api/image/id/a/b',
      '/API/image',
      '/api/image%2F800x600-sea',
      '//api/image',
      '//local/api/image',
      '//',
      '/api//image',
      '/favicon.ico',
    ])('a path that it does not know with 404: %s', async (path) => {
      expectProblem(await call(path), 404, 'not_found');
      expect(asked).toEqual([]);
      expect(faults).toEqual([]);
    });

    it.each([
      '/api/image?query=%',
      '/api/image?query=%E3%81',
      '/api/image?%ZZ=1',
      '/api/image/800x600-a?x=%C3%28',
    ])('a query string with a broken percent sequence with 400: %s', async (path) => {
      expectProblem(await call(path), 400, 'invalid_parameter');
      expect(handled).toEqual([]);
      expect(faults).toEqual([]);
    });

    it.each<[string, unknown]>([
      ['nothing', undefined],
      ['null', null],
      ['a text', 'made'],
      ['no status', { body: 'x' }],
      ['a status that is none', { statusCode: 1_000, body: 'x' }],
      ['a status with a fraction', { statusCode: 200.5, body: 'x' }],
      ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
      [
        'a header that no header may be',
        { statusCode: 200, headers: { 'X-A': 'a', Location: 'a\r\nb' }, body: 'x' },
      ],
      ['a header name with a space', { statusCode: 200, headers: { 'X A': 'a' }, body: 'x' }],
    ])('a malformed answer of a function with 502: %s', async (_, malformed) => {
      answer = async () => malformed;
      const reply = await call('/api/image');
      expectProblem(reply, 502, 'internal_error');
      expect(reply.headers).not.toHaveProperty('x-a');
      expect(faults).toHaveLength(1);
    });

    it('a crash of a function with 502 and keeps its text to itself', async () => {
      answer = async () => {
        throw new Error('the table burns');
      };
      const reply = await call('/api/image');
      expectProblem(reply, 502, 'internal_error');
      expect(reply.body).not.toContain('burns');
      expect(faults).toHaveLength(1);
    });

    it('an absolute address as its path, as a proxy may send it', async () => {
      expect(await callRaw('GET http://elsewhere.example/api/image?query=a HTTP/1.1')).toContain('200');
      expect(handled[0]?.event).toMatchObject({
        path: '/api/image',
        multiValueQueryStringParameters: { query: ['a'] },
      });
    });

    it('many requests at once, each its own', async () => {
      answer = async (event) => ({ statusCode: 200, body: String(event.queryStringParameters?.['n']) });
      const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => call(`/api/image?n=${n}`)));
      expect(replies.map(({ body }) => body)).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
    });
  });
});
