/** Tests the local distribution over HTTP: open paths, signed URLs, and missing files. */

import { connect } from 'node:net';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { makePublicUrl, makeSignedUrl } from '../../lambda/images/delivery-urls';
import { derivePublicKey } from '../../lib/key-maker/certificates';
import { createCdn } from '../../local/cdn';
import { createState } from '../../local/state';
import { createFakeImageStore } from '../fakes/image-store';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';
import { makeStoredPath } from '../fakes/values';

const keyPairId = 'KLOCAL';
const startMs = Date.UTC(2026, 10, 21, 12);
let nowMs = startMs;
let loopback: Loopback;
let makeOpenUrl: (path: string) => string;
let signUrl: (path: string) => Promise<{ readonly url: string; readonly endsMs: number }>;

beforeAll(async () => {
  const imageStore = createFakeImageStore();
  for (const path of ['public/ai/a.webp', 'public/client.tgz', 'private/a.jpg'])
    await imageStore.put(makeStoredPath(path), Buffer.from(path));
  const { signingKey } = await createState();
  let cdn: ReturnType<typeof createCdn>;
  loopback = await listenOnLoopback((request, response) => cdn(request, response));
  const baseUrl = `${loopback.address}/cdn`;
  cdn = createCdn({
    imageStore,
    baseUrl,
    publicKeyPem: derivePublicKey(signingKey),
    keyPairId,
    nowMs: () => nowMs,
  });
  const signedUrls = createExpiringCache<never>(9);
  const imageDomain = { baseUrl, keyPairId, readPrivateKey: async () => signingKey, signedUrls };
  makeOpenUrl = (path) => makePublicUrl(imageDomain as never, makeStoredPath(path));
  signUrl = (path) => makeSignedUrl(imageDomain as never, makeStoredPath(path), nowMs);
});
beforeEach(() => {
  nowMs = startMs;
});
afterAll(() => loopback.stop());

test('a public image may be cached by everyone', async () => {
  for (const [method, body] of [
    ['GET', 'public/ai/a.webp'],
    ['HEAD', ''],
  ] as const) {
    const answer = await fetch(makeOpenUrl('public/ai/a.webp'), { method });
    expect([answer.status, await answer.text()]).toEqual([200, body]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': '16',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  }
});

test('a public file that a deployment may change is cached for an hour', async () => {
  const { headers } = await fetch(makeOpenUrl('public/client.tgz'));
  expect(headers.get('cache-control')).toBe('public, max-age=3600');
});

test('a signed URL delivers a private image for private caches only', async () => {
  const answer = await fetch((await signUrl('private/a.jpg')).url);
  expect([answer.status, await answer.text()]).toEqual([200, 'private/a.jpg']);
  expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
});

test('a private image is refused without a valid signature', async () => {
  const { url, endsMs } = await signUrl('private/a.jpg');
  const expectRefused = async (changed: string) => {
    const { status, headers } = await fetch(changed);
    expect([status, headers.get('cache-control')]).toEqual([403, 'no-store']);
  };
  await expectRefused(url.split('?')[0] ?? '');
  nowMs = endsMs;
  await expectRefused(url);
});

test('a missing file is 404 with a card', async () => {
  for (const path of ['public/b.webp', 'stock/ab/b.webp']) {
    const answer = await fetch(makeOpenUrl(path));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'image/svg+xml']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(await answer.text()).toMatch(/^<svg /);
  }
});

test.each([
  'private/a.jpg',
  'private/../public/a.webp',
  'private%2fa.jpg',
  'p%72ivate%2Fa.jpg',
  'public/../private/a.jpg',
  'public/%2e%2e/private/a.jpg',
  'public/..%5Cprivate/a.jpg',
  'stock//../../private/a.jpg',
  '/private/a.jpg',
  'Public/a.webp',
  'masters/a.png',
  '%E0%A4%A',
  // A pattern that tried every way of reading it would take minutes.
  `public/${'a'.repeat(40)}%20`,
  '',
])('the path needs a signature: %s', async (path) => {
  // `fetch` would tidy the path up.
  const { hostname, port } = new URL(loopback.address);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /cdn/${path} HTTP/1.1\r\nHost: cdn\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('pages of any origin may only read files', async () => {
  const url = makeOpenUrl('public/ai/a.webp');
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
  const { status, headers } = await fetch(url, { method: 'OPTIONS' });
  expect([status, headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD']);
});
