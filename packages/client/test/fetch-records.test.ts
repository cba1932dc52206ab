/** Fetches records from a service that answers as it is documented. */

import { type Loopback, listenOnLoopback } from '../../../test/fakes/loopback';
import { type Batch, fetchBatch, fetchRecord, hosts, ImageProblem, isProblem } from '../src/fetch-records';
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

let server: Loopback;
let base = '';
let received: { method?: string | undefined; url?: string | undefined; headers: object; body: string }[] = [];
let answer: { status: number; body: object };

beforeEach(async () => {
  received = [];
  server = await listenOnLoopback(async (request, response) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(answer.status).end(JSON.stringify(answer.body));
  });
  base = server.address;
});
afterEach(() => server.stop());

test('fetchRecord sends the key in a header', async () => {
  answer = { status: 200, body: record };
  const spec = { query: 'mountain lake', width: 600, height: 400 };
  expect(await fetchRecord(base, spec, { key: 'pk_test_x' })).toEqual(record);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    method: 'GET',
    url: '/api/image?query=mountain%20lake&width=600&height=400&format=json',
    headers: { 'x-api-key': 'pk_test_x', accept: 'application/json' },
  });
});

test('fetchRecord fetches the record of a signed URL without a key', async () => {
  answer = { status: 200, body: record };
  await fetchRecord(`${base}/api/image?query=sea&signer=sg_live_7Hq2mXv9Rk3T&signature=abc`, {});
  expect(received[0]?.url).toBe('/api/image?query=sea&signer=sg_live_7Hq2mXv9Rk3T&signature=abc&format=json');
  expect(received[0]?.headers).not.toHaveProperty('x-api-key');
});

test('fetchRecord rejects with the problem of a response without an image', async () => {
  answer = { status: 429, body: problem };
  const rejected = await fetchRecord(base, { query: 'sea' }).catch((error) => error);
  expect(rejected).toBeInstanceOf(ImageProblem);
  expect(rejected).toMatchObject({ status: 429, code: 'quota_exceeded', problem, message: problem.detail });
});

test('fetchRecord ends a call when its signal does', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(fetchRecord(base, { query: 'sea' }, { signal })).rejects.toThrow('enough');
});

test('fetchRecord ends a call without a signal after 30 seconds', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('over')));
  await expect(fetchRecord(base, { query: 'sea' })).rejects.toThrow('over');
  expect(timeout.mock.calls).toEqual([[30_000]]);
  timeout.mockRestore();
});

test('fetchBatch sends the parameters by the names of the API', async () => {
  answer = { status: 200, body: { images: { hero: record, team: problem } } };
  const exclude = ['0123456789abcdef0123'];
  const hero = { slot: 'hero', query: 'mountain lake', width: 1600, height: 900 };
  const team = { slot: 'team', query: 'office', provider: 'ai' } as const;
  const batch: Batch = {
    exclude,
    images: [
      { ...hero, avoid: ['people', 'text'] },
      { ...team, ratio: '1:1', width: 64, alternative: 2 },
    ],
  };
  const images = await fetchBatch(base, batch, { key: 'pk_test_x' });
  expect(images).toEqual({ hero: record, team: problem });
  expect(Object.values(images).map(isProblem)).toEqual([false, true]);
  expect(received[0]).toMatchObject({
    method: 'POST',
    url: '/api/images',
    headers: { 'x-api-key': 'pk_test_x', 'content-type': 'application/json' },
  });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    exclude,
    images: [
      { ...hero, avoid: 'people,text' },
      { ...team, width: 100, height: 100, alt: 2 },
    ],
  });
});

test('getMeta of the provider for Nuxt Image has size and placeholder of the record', async () => {
  answer = { status: 200, body: record };
  const size = { width: 600, height: 400 };
  const { getMeta } = provider().getImage('/sea', { baseURL: base, modifiers: size });
  expect(await getMeta?.()).toEqual({ ...size, placeholder: 'data:image/webp;base64,UklGRg==' });
  answer = { status: 200, body: { ...record, placeholder: null } };
  expect(await getMeta?.()).toEqual(size);
});

test('hosts lists each origin of images and their srcsets once', () => {
  const origins = ['https://photos.example.org', 'https://img.example.com'];
  expect(hosts(record, { url: 'https://photos.example.org/2.jpg', srcset: null })).toEqual(origins);
});
