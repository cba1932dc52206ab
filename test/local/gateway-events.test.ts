/** The events that the local gateway sends to the functions, which match API Gateway's. */

import { useScriptedGateway } from './scripted-gateway';

describe('the local gateway passes a request on', () => {
  const local = useScriptedGateway();

  it('with all values of every parameter and header, decoded once', async () => {
    await local.call('/api/image?query=mountain%20lake&query=a+b&t&u=%2525&=x&a%20b=c=d', 'GET', {
      'X-Twice': ['one', 'two'],
    });
    const event = local.handled[0]?.event;
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
    expect(event?.headers['X-Forwarded-Proto']).toBe('http');
    expect(event?.multiValueHeaders['X-Forwarded-Proto']).toEqual(['http']);
  });

  it('with the domain of the service, whatever host it names', async () => {
    await local.call('/api/image', 'GET', { Host: 'evil.example' });
    const { requestContext, headers } = local.handled[0]?.event ?? {};
    expect(requestContext?.domainName).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(headers?.['Host']).toBe('evil.example');
    local.answer = async () => undefined;
    const refused = await local.call('/api/image', 'GET', { Host: 'evil.example' });
    local.expectProblem(refused, 503, 'service_unavailable');
    // By which the logs of the functions are found.
    const { requestId } = local.handled[1]?.event.requestContext ?? {};
    expect(JSON.parse(refused.body)).toMatchObject({ requestId });
  });

  it('with null where there are no parameters', async () => {
    for (const path of ['/api/image', '/api/image?', '/api/image?&']) await local.call(path);
    for (const { event } of local.handled) {
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
    await local.call(`/api/image/${segment}?provider=ai`);
    expect(local.handled[0]?.event).toMatchObject({
      resource: '/api/image/{spec}',
      path: `/api/image/${segment}`,
      pathParameters: { spec: segment },
      multiValueQueryStringParameters: { provider: ['ai'] },
    });
  });

  it.each([
    ['/api/image/300x200-day/night', '300x200-day', 'night'],
    ['/api/image/300x200-day/night/', '300x200-day', 'night'],
    ['/api/image/300x200-a//b/c%2Fd', '300x200-a', '/b/c%2Fd'],
    ['/api/image/a/b', 'a', 'b'],
  ])('with the slashes between its words: %s', async (path, spec, rest) => {
    await local.call(path);
    expect(local.handled[0]).toMatchObject({
      name: 'redirect',
      event: { resource: '/api/image/{spec}/{rest+}', path, pathParameters: { spec, rest } },
    });
    expect(local.asked).toHaveLength(1);
  });

  it.each([
    '/nowhere',
    '/api',
    '/api/imagery',
    '/api/image//300x200-sea',
    '/API/image',
    '/API/image/300x200-sea',
    '/api/image%2F800x600-sea',
    '//api/image',
    '//local/api/image',
    '//',
    '/api//image',
    '/favicon.ico',
  ])('for a path that it does not know to the function that says so: %s', async (path) => {
    await local.call(path);
    expect(local.handled[0]).toMatchObject({ name: 'docs', event: { resource: '/{path+}', path } });
    expect(local.asked).toEqual([]);
  });

  it('with U+FFFD for what cannot be decoded in a query string', async () => {
    await local.call('/api/image?query=50%&seed=%E3%81a&%ZZ=1&t=%C3%A9');
    expect({ ...local.handled[0]?.event.multiValueQueryStringParameters }).toEqual({
      query: ['50\ufffd'],
      seed: ['\ufffda'],
      '\ufffdZZ': ['1'],
      t: ['é'],
    });
  });

  it('with the IP address of the sender, whatever its headers claim', async () => {
    await local.call('/api/image', 'GET', { 'X-Forwarded-For': '198.51.100.1' });
    expect(local.handled[0]?.event.requestContext.identity.sourceIp).toMatch(/^(::ffff:)?127\.0\.0\.1$/);
  });

  it('with header names as sent, unusual ones too', async () => {
    const reply = await local.call('/api/image', 'GET', {
      'x-API-key': 'k',
      constructor: 'c',
      toString: 't',
      __proto__x: 'p',
    });
    expect(reply.status).toBe(200);
    expect(local.handled[0]?.event.multiValueHeaders).toMatchObject({
      'x-API-key': ['k'],
      constructor: ['c'],
    });
    expect(await local.callRaw('GET /api/image?query=a HTTP/1.1\r\n__proto__: x')).toContain('200');
  });

  it('with an id of its own and the moment it came in', async () => {
    await Promise.all([local.call('/api/image'), local.call('/api/image')]);
    const contexts = local.handled.map(({ event }) => event.requestContext);
    expect(new Set(contexts.map(({ requestId }) => requestId)).size).toBe(2);
    expect(contexts.every(({ requestTimeEpoch }) => requestTimeEpoch === local.nowMs)).toBe(true);
  });

  it('with its body and method, where the authorizer is not asked', async () => {
    await local.call('/', 'GET', { 'content-length': '5' }, 'höhe');
    expect(local.handled[0]).toMatchObject({
      name: 'docs',
      event: { httpMethod: 'GET', isBase64Encoded: true, body: Buffer.from('höhe').toString('base64') },
    });
    expect(local.asked).toEqual([]);
    expect(local.handled[0]?.event.requestContext.authorizer).toBeUndefined();
  });

  it('without its body to the authorizer', async () => {
    await local.call('/api/images', 'POST', { 'content-type': 'application/json' }, '{}');
    expect(local.handled[0]?.event.body).toBe(Buffer.from('{}').toString('base64'));
    for (const name of ['body', 'isBase64Encoded']) expect(local.asked[0]).not.toHaveProperty(name);
  });

  it.each([
    ['/', 'docs', 'GET'],
    ['/openapi.json', 'docs', 'GET'],
    ['/llms.txt', 'docs', 'HEAD'],
    ['/api/usage', 'usage', 'GET'],
    ['/api/image', 'redirect', 'HEAD'],
    ['/api/image/', 'redirect', 'GET'],
    ['/api/image/id/img_1', 'redirect', 'GET'],
    ['/api/image/id/img_1/', 'redirect', 'GET'],
  ])('for %s to the function %s on %s', async (path, name, method) => {
    await local.call(path, method);
    expect(local.handled.map((each) => each.name)).toEqual([name]);
  });

  it('for a permalink with the id and not as an image named "id"', async () => {
    await local.call('/api/image/id/img_1');
    expect(local.handled[0]?.event.pathParameters).toEqual({ id: 'img_1' });
    await local.call('/api/image/id');
    expect(local.handled[1]?.event.pathParameters).toEqual({ spec: 'id' });
  });
});
