/** Records of images, from a service that answers as it is documented. */

import type { IncomingHttpHeaders } from 'node:http';
import { type Loopback, listenOnLoopback } from '../../../test/fakes/loopback';
import { fetchBatch, fetchRecord, hosts, ImageProblem, isProblem } from '../src/fetch-records';
import provider from '../src/nuxt';
import type { Problem } from '../src/service';
import { record } from './record';

const problem: Problem = {
  type: 'https://img.example.com/#quota_exceeded',
  title: 'Quota exceeded',
  status: 429,
  detail: 'The monthly quota of the plan is used up.',
  code: 'quota_exceeded',
  requestId: 'r1',
};

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('the client', () => {
  let server: Loopback;
  let base = '';
  let received: ReceivedRequest[] = [];
  let answer: { status: number; body: string; type?: string } | 'silence';
  let onRequest = () => {};

  beforeEach(async () => {
    received = [];
    server = await listenOnLoopback(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      if (answer === 'silence') return onRequest();
      const type = answer.type ?? 'application/json';
      response.writeHead(answer.status, { 'Content-Type': type }).end(answer.body);
    });
    base = server.address;
  });
  afterEach(() => server.stop());

  it('fetches a record with the key in a header, never in the URL', async () => {
    answer = { status: 200, body: JSON.stringify(record) };
    const fetched = await fetchRecord(
      base,
      { query: 'mountain lake', width: 600, height: 400 },
      { key: 'pk_test_x' },
    );
    expect(fetched).toEqual(record);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: 'GET',
      url: '/api/image?query=mountain%20lake&width=600&height=400&format=json',
      headers: { 'x-api-key': 'pk_test_x', accept: 'application/json' },
    });
  });

  it('fetches the record of a signed URL without a key', async () => {
    answer = { status: 200, body: JSON.stringify(record) };
    await fetchRecord(`${base}/api/image?query=sea&signer=sg_live_7Hq2mXv9Rk3T&signature=abc`, {});
    expect(received[0]?.url).toBe(
      '/api/image?query=sea&signer=sg_live_7Hq2mXv9Rk3T&signature=abc&format=json',
    );
    expect(received[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('rejects with the problem of an answer without an image', async () => {
    answer = { status: 429, body: JSON.stringify(problem), type: 'application/problem+json' };
    const rejected = await fetchRecord(base, { query: 'sea' }).catch((error) => error);
    expect(rejected).toBeInstanceOf(ImageProblem);
    expect(rejected).toMatchObject({ status: 429, code: 'quota_exceeded', problem, message: problem.detail });
  });

  it('ends a call when the caller does, and asks once', async () => {
    answer = 'silence';
    const ending = new AbortController();
    const call = fetchRecord(base, { query: 'sea' }, { signal: ending.signal });
    onRequest = () => ending.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });

  it('fetches a page of images in the API’s words, and tells problems from records', async () => {
    answer = { status: 200, body: JSON.stringify({ images: { hero: record, team: problem } }) };
    const images = await fetchBatch(
      base,
      {
        exclude: ['0123456789abcdef0123'],
        images: [
          { slot: 'hero', query: 'mountain lake', width: 1600, height: 900, avoid: ['people', 'text'] },
          { slot: 'team', query: 'office', ratio: '1:1', width: 64, provider: 'ai', alternative: 2 },
        ],
      },
      { key: 'pk_test_x' },
    );
    expect(images).toEqual({ hero: record, team: problem });
    expect(Object.values(images).map(isProblem)).toEqual([false, true]);
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/api/images',
      headers: { 'x-api-key': 'pk_test_x', 'content-type': 'application/json' },
    });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      exclude: ['0123456789abcdef0123'],
      images: [
        { slot: 'hero', query: 'mountain lake', width: 1600, height: 900, avoid: 'people,text' },
        { slot: 'team', query: 'office', width: 100, height: 100, provider: 'ai', alt: 2 },
      ],
    });
  });

  it('gives Nuxt Image the size and the placeholder of the record', async () => {
    answer = { status: 200, body: JSON.stringify(record) };
    const { getMeta } = provider().getImage('/sea', {
      baseURL: base,
      modifiers: { width: 600, height: 400 },
    });
    expect(await getMeta?.()).toEqual({
      width: 600,
      height: 400,
      placeholder: 'data:image/webp;base64,UklGRg==',
    });
    answer = { status: 200, body: JSON.stringify({ ...record, placeholder: null }) };
    expect(await getMeta?.()).toEqual({ width: 600, height: 400 });
  });
});

describe('the hosts of records', () => {
  it('are the origins of the image and of its srcset, each once', () => {
    expect(hosts(record, { url: 'https://photos.example.org/2.jpg', srcset: null })).toEqual([
      'https://photos.example.org',
      'https://img.example.com',
    ]);
  });
});
