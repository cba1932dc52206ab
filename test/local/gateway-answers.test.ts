/** The responses of the local gateway: those of the functions, or those of API Gateway itself. */

import { createDeferred } from '../fakes/deferred';
import { admit, useScriptedGateway } from './scripted-gateway';

describe('the local gateway answers', () => {
  const local = useScriptedGateway();

  it('what the function made, with all its headers', async () => {
    local.answer = async () => ({
      statusCode: 302,
      headers: { Location: 'https://images.example.org/1', 'X-Number': 5 },
      multiValueHeaders: { Link: ['<a>', '<b>'] },
      body: '{"url":"…"}',
    });
    const reply = await local.call('/api/image');
    expect(reply).toMatchObject({ status: 302, body: '{"url":"…"}' });
    expect(reply.headers).toMatchObject({
      location: 'https://images.example.org/1',
      'x-number': '5',
      link: '<a>, <b>',
    });
  });

  it('with the length of the body, and under another name one that the function states', async () => {
    local.answer = async () => ({ statusCode: 302, headers: { 'Content-Length': '9' }, body: 'höhe' });
    for (const [method, length] of [
      ['GET', '5'],
      ['HEAD', undefined],
    ] as const) {
      const { headers } = await local.call('/api/image', method);
      expect([method, headers['content-length'], headers['x-amzn-remapped-content-length']]).toEqual([
        method,
        length,
        '9',
      ]);
    }
    local.answer = async () => ({ statusCode: 200, body: 'höhe' });
    expect((await local.call('/api/image')).headers['content-length']).toBe('5');
    local.answer = async () => undefined;
    const refusal = await local.call('/api/image');
    expect(refusal.headers['content-length']).toBe(String(Buffer.byteLength(refusal.body)));
  });

  it.each([204, 304])('%d without a length, as it has no body', async (statusCode) => {
    local.answer = async () => ({ statusCode, headers: { ETag: '"v1"' }, body: '' });
    const { status, headers } = await local.call('/');
    expect([status, headers['etag'], headers['content-length']]).toEqual([statusCode, '"v1"', undefined]);
  });

  it('bytes that came as base64', async () => {
    local.answer = async () => ({
      statusCode: 200,
      body: Buffer.from('ÿ').toString('base64'),
      isBase64Encoded: true,
    });
    expect((await local.call('/api/image')).body).toBe('ÿ');
  });

  it('503 with Retry-After at once, without the functions, where so many wait that one more would be late', async () => {
    // A request that waits stays one that begins.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
    try {
      const held = createDeferred<void>();
      local.authorizer = () => held.promise.then(() => admit('anonymous'));
      let answered = 0;
      const calls = Array.from({ length: 32 + 384 + 5 }, async () => {
        const reply = await local.call('/api/image');
        answered += 1;
        if (answered === 5) held.resolve();
        return reply;
      });
      const replies = await Promise.all(calls);
      const refused = replies.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(5);
      for (const reply of refused) {
        local.expectProblem(reply, 503, 'service_unavailable');
        expect(reply.headers['retry-after']).toBe('5');
      }
      expect(local.asked).toHaveLength(416);
      expect((await local.call('/api/image')).status).toBe(200);
    } finally {
      jest.useRealTimers();
    }
  });

  it('HEAD without a body, its own refusals too', async () => {
    expect(await local.call('/api/image', 'HEAD')).toMatchObject({
      status: 200,
      body: '',
      headers: { 'x-made': 'yes' },
    });
    local.authorizer = async () => ({ ...admit('anonymous'), usageIdentifierKey: 'unknown' });
    expect(await local.call('/api/image', 'HEAD')).toMatchObject({ status: 500, body: '' });
  });

  it.each(['/api/image', '/api/image/800x600-sea', '/api/image/id/1', '/api/usage', '/', '/llms.txt'])(
    'a method that there is not by itself, naming those there are: %s',
    async (path) => {
      for (const [method, headers] of [
        ['POST', { 'content-type': 'text/plain' }],
        ['DELETE', {}],
        ['OPTIONS', { 'content-type': 'application/vnd.unknown' }],
      ] as const) {
        const reply = await local.call(path, method, headers);
        local.expectProblem(reply, 405, 'method_not_allowed');
        expect(reply.headers['allow']).toBe('GET, HEAD, OPTIONS');
      }
      expect(local.handled).toEqual([]);
    },
  );

  it.each(['/api/image', '/api/usage', '/openapi.json'])('a preflight by itself: %s', async (path) => {
    const reply = await local.call(path, 'OPTIONS', { origin: 'https://example.org' });
    expect(reply).toMatchObject({ status: 204, body: '' });
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Authorization, X-API-Key, Accept, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
      'access-control-max-age': '86400',
      allow: 'GET, HEAD, OPTIONS',
    });
    expect(local.handled).toEqual([]);
  });

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded; charset=utf-8'])(
    'the methods of a route that takes POST, to a request of the media type %s',
    async (mediaType) => {
      for (const path of ['/api/images', '/mcp']) {
        const preflight = await local.call(path, 'OPTIONS', { 'content-type': mediaType });
        expect(preflight).toMatchObject({
          status: 204,
          headers: { allow: 'POST, OPTIONS', 'access-control-allow-methods': 'POST, OPTIONS' },
        });
        const refused = await local.call(path, 'DELETE', { 'content-type': mediaType });
        local.expectProblem(refused, 405, 'method_not_allowed');
        expect(refused.headers['allow']).toBe('POST, OPTIONS');
      }
      expect(local.handled).toEqual([]);
    },
  );

  it('GET of the batch by its function, which draws a card for an image tag', async () => {
    local.answer = async () => ({ statusCode: 405, body: 'card' });
    expect(await local.call('/api/images', 'GET')).toMatchObject({ status: 405, body: 'card' });
    expect(local.handled).toMatchObject([{ name: 'redirect', event: { resource: '/api/images' } }]);
  });

  it.each(['POST', 'OPTIONS', 'DELETE'])('%s on a path that it does not know with 404', async (method) => {
    local.expectProblem(await local.call('/nowhere', method), 404, 'not_found');
    expect(local.handled).toEqual([]);
    expect(local.faults).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'made'],
    ['no status', { body: 'x' }],
    ['an invalid status', { statusCode: 1_000, body: 'x' }],
    ['a status with a fraction', { statusCode: 200.5, body: 'x' }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    [
      'a header that no header may be',
      { statusCode: 200, headers: { 'X-A': 'a', Location: 'a\r\nb' }, body: 'x' },
    ],
    ['a header name with a space', { statusCode: 200, headers: { 'X A': 'a' }, body: 'x' }],
  ])('a malformed answer of a function with 503: %s', async (_, malformed) => {
    local.answer = async () => malformed;
    const reply = await local.call('/api/image');
    local.expectProblem(reply, 503, 'service_unavailable');
    expect(reply.headers).not.toHaveProperty('x-a');
    expect(local.faults).toHaveLength(1);
  });

  it('a crash of a function with 503, without its error text', async () => {
    local.answer = async () => {
      throw new Error('the table burns');
    };
    const reply = await local.call('/api/image');
    local.expectProblem(reply, 503, 'service_unavailable');
    expect(reply.body).not.toContain('burns');
    expect(local.faults).toHaveLength(1);
  });

  it.each([
    [10 * 1024 * 1024, 200],
    [10 * 1024 * 1024 + 1, 413],
  ])('a body of %i bytes with %i', async (bytes, status) => {
    const reply = await local.call('/api/images', 'POST', {}, 'x'.repeat(bytes));
    expect([reply.status, local.handled.length]).toEqual([status, status === 200 ? 1 : 0]);
    if (status === 413) local.expectProblem(reply, 413, 'content_too_large');
  });

  it('an absolute URL as its path, as a proxy may send it', async () => {
    expect(await local.callRaw('GET http://elsewhere.example/api/image?query=a HTTP/1.1')).toContain('200');
    expect(local.handled[0]?.event).toMatchObject({
      path: '/api/image',
      multiValueQueryStringParameters: { query: ['a'] },
    });
    expect(await local.callRaw('GET http://elsewhere.example?a=b HTTP/1.1')).toContain('200');
    expect(local.handled[1]).toMatchObject({ name: 'docs', event: { path: '/' } });
  });

  it('many concurrent requests, each with its own response', async () => {
    local.answer = async (event) => ({ statusCode: 200, body: String(event.queryStringParameters?.['n']) });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => local.call(`/api/image?n=${n}`)));
    expect(replies.map(({ body }) => body)).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  });
});
