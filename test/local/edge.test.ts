/** The local edge: what it shares, for how long, and what it sends to the API. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { edgeHeaders } from '../../lambda/contract/edge';
import { createEdgeCache, type OriginAnswer, runnerOf, startLocalEdge } from '../../local/edge';
import { type Listening, listen } from '../../local/http';
import { breathe } from '../fakes/deferred';

const shared = 'public, max-age=10, s-maxage=100, stale-while-revalidate=50, stale-if-error=500';

describe('the cache of the edge', () => {
  const answer = (caching: string | undefined, status = 302): OriginAnswer => ({
    status,
    headers: caching === undefined ? {} : { 'cache-control': caching },
    body: Buffer.from('x'),
  });
  const cacheAt = () => {
    const clock = { nowMs: 1_000_000 };
    return { clock, cache: createEdgeCache(86_400, () => clock.nowMs) };
  };

  it.each<[string, number, string | undefined]>([
    [shared, 0, 'fresh'],
    [shared, 99, 'fresh'],
    [shared, 100, 'while-revalidating'],
    [shared, 149, 'while-revalidating'],
    [shared, 150, 'if-error'],
    [shared, 599, 'if-error'],
    [shared, 600, undefined],
    ['Public, Max-Age=10, S-MaxAge=100', 99, 'fresh'],
    ['public, max-age=300', 299, 'fresh'],
    ['public, max-age=300', 300, undefined],
    ['public, max-age=31536000, immutable', 86_399, 'fresh'],
    ['public, max-age=31536000, immutable', 86_400, undefined],
    ['public, max-age=60, s-maxage=0', 0, undefined],
    ['private, max-age=3600', 0, undefined],
    ['no-store', 0, undefined],
    ['no-cache', 0, undefined],
  ])('uses an answer with %s after %d s: %s', (caching, ageS, use) => {
    const { clock, cache } = cacheAt();
    cache.store('key', answer(caching));
    clock.nowMs += ageS * 1_000;
    expect(cache.find('key')?.use).toBe(use);
  });

  it('keeps nothing that does not say so, and no error', () => {
    const { cache } = cacheAt();
    cache.store('silent', answer(undefined));
    cache.store('error', answer(shared, 404));
    expect([cache.find('silent'), cache.find('error')]).toEqual([undefined, undefined]);
  });

  it('keeps at most 1,000 answers, the last ones', () => {
    const { cache } = cacheAt();
    for (let i = 0; i <= 1_000; i++) cache.store(`key ${i}`, answer(shared));
    expect([cache.find('key 0'), cache.find('key 1')?.use]).toEqual([undefined, 'fresh']);
  });

  it('forgets an answer when a later one may not be kept, but not for an error', () => {
    const { cache } = cacheAt();
    cache.store('key', answer(shared));
    cache.store('key', answer('no-store', 503));
    expect(cache.find('key')?.use).toBe('fresh');
    for (const kept of ['private, max-age=5', 'no-store, max-age=5', 'no-cache, max-age=5']) {
      cache.store('key', answer(shared));
      cache.store('key', answer(kept));
      expect(cache.find('key')).toBeUndefined();
    }
  });
});

test('a function of the edge sees each value of a header and a parameter, and of several the last as the one', () => {
  const run = runnerOf(`function handler({ request: { uri, querystring, headers } }) {
    return { uri, querystring: JSON.stringify(querystring), headers };
  }`);
  const rawHeaders = ['X-Twice', '1', 'x-twice', '2', 'Once', '3'];
  const { target, headers } = run({ method: 'GET', url: '?a=1&a=2=3&&b', rawHeaders }, '192.0.2.1', 'r');
  const [uri, ...query] = target.split('?');
  expect([uri, JSON.parse(query.join('?'))]).toEqual([
    '/',
    { a: { value: '2=3', multiValue: [{ value: '1' }, { value: '2=3' }] }, b: { value: '' } },
  ]);
  expect(headers).toEqual({ 'x-twice': '1, 2', once: '3' });
});

describe('the edge over HTTP', () => {
  interface Asked {
    readonly target: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }
  const asked: Asked[] = [];
  const faults: unknown[] = [];
  const clock = { nowMs: Date.parse('2026-11-22T04:30:00Z') };
  let answerWith = (_: Asked, response: ServerResponse): void =>
    void response
      .writeHead(302, { 'Cache-Control': shared, 'X-Cache': 'MISS', Location: '/elsewhere' })
      .end();
  let front: Listening;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const edge = await startLocalEdge({
      lock: 'the-lock',
      api: async (request, response) => {
        const body = Buffer.concat(await request.toArray()).toString();
        const seen = { target: request.url ?? '', headers: request.headers, body };
        asked.push(seen);
        answerWith(seen, response);
      },
      nowMs: () => clock.nowMs,
      onFault: (error) => faults.push(error),
    });
    front = await listen(0, (request, response) => void edge.answer(request, response));
    stop = async () => {
      await front.stop();
      await edge.stop(Promise.resolve());
    };
  });
  afterAll(() => stop());
  beforeEach(() => {
    asked.length = 0;
  });

  let path = 0;
  const fresh = () => `/api/image?query=q${path++}`;
  const get = async (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const answer = await fetch(front.url + url, { method, headers, redirect: 'manual' });
    return { status: answer.status, cache: answer.headers.get('x-cache'), age: answer.headers.get('age') };
  };

  it('asks the API once for what may be shared, whatever else is in the query and in which order', async () => {
    const url = fresh();
    expect(await get(`${url}&width=300&utm=1`)).toEqual({
      status: 302,
      cache: 'Miss from cloudfront',
      age: null,
    });
    clock.nowMs += 3_000;
    expect(await get(`/api/image?width=300&x=2&${url.split('?')[1]}`)).toEqual({
      status: 302,
      cache: 'Hit from cloudfront',
      age: '3',
    });
    expect(await get(`${url}&width=300`, {}, 'HEAD')).toMatchObject({ cache: 'Hit from cloudfront' });
    expect(asked.map(({ target }) => target)).toEqual([`${url}&width=300`]);
  });

  it('keeps no answer to HEAD, which has no body', async () => {
    const url = fresh();
    for (const method of ['HEAD', 'GET'])
      expect((await get(url, {}, method)).cache).toBe('Miss from cloudfront');
    expect(asked).toHaveLength(2);
  });

  it('tells formats apart by bucket', async () => {
    const url = fresh();
    const accepts = ['image/webp,*/*', 'image/jpeg', 'image/avif,image/webp', '*/*', 'image/avif'];
    const caches = [];
    for (const accept of accepts) caches.push((await get(url, { accept })).cache?.slice(0, 4));
    expect(caches).toEqual(['Miss', 'Miss', 'Hit ', 'Hit ', 'Miss']);
  });

  it('answers a conditional request itself, and asks the API for the whole', async () => {
    const url = fresh();
    const before = answerWith;
    answerWith = (_, response) =>
      void response.writeHead(200, { 'Cache-Control': shared, ETag: '"v1"', 'Content-Length': 2 }).end('hi');
    const statuses = [];
    for (const tag of ['"v1"', 'W/"v1"', '"v0"']) {
      const answer = await fetch(front.url + url, { headers: { 'If-None-Match': tag } });
      statuses.push([answer.status, answer.headers.get('content-length'), await answer.text()]);
    }
    answerWith = (_, response) => void response.writeHead(404, { ETag: '"v1"' }).end('gone');
    const gone = await fetch(front.url + fresh(), { headers: { 'If-None-Match': '"v1"' } });
    expect([gone.status, await gone.text()]).toEqual([404, 'gone']);
    answerWith = before;
    expect(statuses).toEqual([
      [304, null, ''],
      [304, null, ''],
      [200, '2', 'hi'],
    ]);
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  it('shares nothing with a request that has a key in a header, even of the same key', async () => {
    const url = fresh();
    await get(url);
    for (const headers of [{ 'X-API-Key': 'k' }, { 'X-API-Key': 'k' }, { Authorization: 'Bearer k' }])
      expect((await get(url, headers)).cache).toBe('Miss from cloudfront');
    expect(asked).toHaveLength(4);
  });

  it('proves itself to the API, and says who the viewer is, whatever the viewer claims', async () => {
    await get(fresh(), {
      [edgeHeaders.viewerIp]: '192.0.2.1',
      [edgeHeaders.lock]: 'x',
      Cookie: 'a=b',
      'If-Modified-Since': 'Sun, 22 Nov 2026 04:30:00 GMT',
      Origin: 'https://a.example',
    });
    expect(asked[0]?.headers).toMatchObject({
      [edgeHeaders.lock]: 'the-lock',
      [edgeHeaders.viewerIp]: '127.0.0.1',
      origin: 'https://a.example',
    });
    for (const name of ['cookie', 'if-modified-since']) expect(asked[0]?.headers).not.toHaveProperty(name);
  });

  it('passes a POST on with its body, each time', async () => {
    for (const body of ['{"a":1}', '{"a":1}']) {
      const answer = await fetch(`${front.url}/api/images`, { method: 'POST', body, redirect: 'manual' });
      expect(answer.headers.get('x-cache')).toBe('Miss from cloudfront');
    }
    expect(asked.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('answers with what it has while the API is asked again', async () => {
    const url = fresh();
    await get(url);
    clock.nowMs += 120_000;
    expect((await get(url)).cache).toBe('Hit from cloudfront');
    while ((await get(url)).age !== '0');
    expect(asked.length).toBeGreaterThan(1);
  });

  it('answers with what it has while the API fails', async () => {
    const url = fresh();
    await get(url);
    clock.nowMs += 400_000;
    const before = answerWith;
    answerWith = (_, response) => void response.writeHead(500, { 'Cache-Control': 'no-store' }).end();
    expect(await get(url)).toMatchObject({ status: 302, cache: 'Hit from cloudfront', age: '400' });
    clock.nowMs += 700_000;
    expect(await get(url)).toMatchObject({ status: 500, cache: 'Miss from cloudfront' });
    answerWith = (_, response) => void response.destroy();
    expect((await get(fresh())).status).toBe(502);
    expect(faults).toHaveLength(1);
    answerWith = before;
    await get(url);
    clock.nowMs += 120_000;
    answerWith = (_, response) => void response.destroy();
    expect((await get(url)).cache).toBe('Hit from cloudfront');
    while (faults.length < 2) await breathe();
    answerWith = before;
  });

  it('hands a refusal of the API on, and no older answer in its place', async () => {
    const url = fresh();
    await get(url);
    clock.nowMs += 400_000;
    const before = answerWith;
    answerWith = (_, response) => void response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
    expect(await get(url)).toMatchObject({ status: 404, cache: 'Miss from cloudfront' });
    answerWith = before;
  });
});
