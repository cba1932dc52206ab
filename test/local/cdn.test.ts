/** The local CDN over HTTP. */

import { generateKeyPairSync } from 'node:crypto';
import { connect } from 'node:net';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { publicUrl, signedUrl } from '../../lambda/images/delivery-urls/delivery';
import { createCdn } from '../../local/cdn';
import { type Bound, bound } from '../fakes/bound';
import { libraryPath } from '../fakes/branded';
import { createFakeImageLibrary } from '../fakes/image-library';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyPairId = 'KLOCAL';
const startMs = Date.UTC(2026, 10, 21, 12);

describe.each(['', '/cdn'])('the local CDN at "%s"', (prefix) => {
  let loopback: Loopback;
  let delivery: Bound<{ publicUrl: typeof publicUrl; signedUrl: typeof signedUrl }>;
  let nowMs: number;

  beforeAll(async () => {
    const library = createFakeImageLibrary();
    await library.put(libraryPath('public/a.webp'), {
      bytes: Buffer.from('public'),
      mediaType: 'image/webp',
    });
    await library.put(libraryPath('private/a.jpg'), {
      bytes: Buffer.from('private'),
      mediaType: 'image/jpeg',
    });
    let cdn: ReturnType<typeof createCdn>;
    loopback = await listenOnLoopback((request, response) => cdn(request, response));
    const baseUrl = loopback.address + prefix;
    const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const readPrivateKey = async () => privateKey.export({ type: 'sec1', format: 'pem' }) as string;
    cdn = createCdn({ library, baseUrl, publicKeyPem, keyPairId, nowMs: () => nowMs });
    delivery = bound(
      { baseUrl, keyPairId, readPrivateKey, signed: createExpiringCache(9) },
      { publicUrl, signedUrl },
    );
  });
  beforeEach(() => {
    nowMs = startMs;
  });
  afterAll(() => loopback.stop());

  const refusal = async (url: string, init?: RequestInit) => {
    const { status, headers } = await fetch(url, init);
    expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([
      '*',
      'no-store',
    ]);
    return status;
  };

  it('delivers a public image to every client, cacheable', async () => {
    const answer = await fetch(delivery.publicUrl(libraryPath('public/a.webp')));
    expect([answer.status, await answer.text()]).toEqual([200, 'public']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': '6',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('answers HEAD with the same headers and no body', async () => {
    const answer = await fetch(delivery.publicUrl(libraryPath('public/a.webp')), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '6',
      '',
    ]);
  });

  it('answers 304 for a cached image', async () => {
    const url = delivery.publicUrl(libraryPath('public/a.webp'));
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const again = (value: string) => fetch(url, { headers: { 'if-none-match': value }, cache: 'no-store' });
    const { status, headers } = await again(`"x", W/${etag}`);
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([
      304,
      etag,
      'public, max-age=31536000, immutable',
    ]);
    expect((await again('"x"')).status).toBe(200);
  });

  it('delivers a private image by its signed URL, for no shared cache', async () => {
    const { url } = await delivery.signedUrl(libraryPath('private/a.jpg'), nowMs);
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([200, 'private']);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  });

  it('refuses a private image without a signature, with a wrong one, and after its end', async () => {
    const { url, endsMs } = await delivery.signedUrl(libraryPath('private/a.jpg'), nowMs);
    expect(await refusal(url.split('?')[0] ?? '')).toBe(403);
    expect(await refusal(url.replace(keyPairId, 'KOTHER'))).toBe(403);
    expect(await refusal(`${url}&Key-Pair-Id=${keyPairId}`)).toBe(403);
    for (const name of ['Expires', 'Signature', 'Hash-Algorithm'])
      expect(await refusal(`${url}&${new RegExp(`${name}=[^&]+`).exec(url)?.[0]}`)).toBe(403);
    for (const [signed, changed] of [
      ['a.jpg', 'b.jpg'],
      ['Hash-Algorithm=SHA256', 'Hash-Algorithm=SHA1'],
      ['?', '?width=1&'],
    ] as const)
      expect(await refusal(url.replace(signed, changed))).toBe(403);
    expect(await refusal(url.replace(/Expires=\d+/, 'Expires=4000000000'))).toBe(403);
    nowMs = endsMs;
    expect(await refusal(url)).toBe(403);
  });

  it('takes no detour to a private image', async () => {
    const signed = (await delivery.signedUrl(libraryPath('private/a.jpg'), nowMs)).url.split('?')[1];
    for (const path of [
      'public/..%2fprivate/a.jpg',
      'public%2f../private/a.jpg',
      '/private/a.jpg',
      'Private/a.jpg',
    ])
      expect(await refusal(`${loopback.address}${prefix}/${path}?${signed}`)).toBe(403);
  });

  it('shows a card in place of a file that is gone', async () => {
    for (const path of ['public/b.webp', 'stock/ab/b.webp']) {
      const answer = await fetch(delivery.publicUrl(libraryPath(path)));
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('image/svg+xml');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
      expect(await answer.text()).toMatch(/^<svg /);
    }
  });

  it.each([
    'private/a.jpg',
    'private/../public/a.webp',
    'private%2Fa.jpg',
    'private%2fa.jpg',
    '%70rivate/a.jpg',
    'p%72ivate%2Fa.jpg',
    'public/../private/a.jpg',
    'public/%2e%2e/private/a.jpg',
    'public/..%2Fprivate/a.jpg',
    'public%2F..%2Fprivate%2Fa.jpg',
    'public/..%5Cprivate/a.jpg',
    'stock//../../private/a.jpg',
    '/private/a.jpg',
    './private/a.jpg',
    'Public/a.webp',
    'publics/a.webp',
    'masters/a.png',
    'favicon.ico',
    '%',
    '%E0%A4%A',
    '',
  ])(
    'asks for a signature on every path that is not expressly open, however it is written: %s',
    async (path) => {
      // `fetch` would tidy the path up.
      const { hostname, port } = new URL(loopback.address);
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(`GET ${prefix}/${path} HTTP/1.1\r\nHost: cdn\r\nConnection: close\r\n\r\n`),
        );
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk.toString();
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    },
  );

  it('reads an open path as its bucket does', async () => {
    const answer = await fetch(`${loopback.address}${prefix}/public/%61.webp`);
    expect([answer.status, await answer.text()]).toEqual([200, 'public']);
  });

  it('can be read and not written', async () => {
    const url = delivery.publicUrl(libraryPath('public/a.webp'));
    expect(await refusal(url, { method: 'PUT', body: 'x' })).toBe(403);
  });

  it('answers a preflight of a request with a key in its headers', async () => {
    const answer = await fetch(delivery.publicUrl(libraryPath('public/a.webp')), { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*',
    });
  });
});
