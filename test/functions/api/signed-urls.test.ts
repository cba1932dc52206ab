/** `getImage` of `image.ts` by signed URLs: the client's vectors, changed URLs, ends, sizes and records. */

import fc from 'fast-check';
import { parseUrl } from '../../../lambda/base/parse';
import { signedParameters } from '../../../lambda/contract/parameters';
import type { ImageRequest } from '../../../lambda/requests/image-request';
import { createSigner } from '../../../packages/client/src/client';
import { getSecret, signers, vectors } from '../../../packages/client/test/vectors';
import { servedImage } from '../../fakes/values';
import { parseXml } from '../../requests/well-formed';
import { createImageService, imageTag, startMs } from './image-service';
import type { EventOptions } from './proxy-event';

const id = vectors[0]?.signer ?? '';
const signer = createSigner({ id, secret: getSecret(id) });
const root = 'https://api.example.org/prod';
const nowS = Math.floor(startMs / 1_000);

const makeSignerContext = (signerId: string) => ({
  caller: signerId.startsWith('sg_test_') ? 'test' : 'live',
  account: 'acc_1',
  plan: 'free',
  keyId: signerId,
  publishedAs: 'signer',
});

/** The event that API Gateway makes of a URL; the authorizer knows the signer that it names. */
function makeEvent(url: string, options: EventOptions = {}): EventOptions {
  const { pathname, searchParams } = new URL(url);
  const [, segment] = /\/api\/image\/(.+)$/.exec(pathname) ?? [];
  const query: Record<string, string[]> = {};
  for (const name of new Set(searchParams.keys())) query[name] = searchParams.getAll(name);
  const named = query['signer']?.length === 1 ? query['signer'][0] : undefined;
  const isKnown = signers.some((signer) => signer.id === named);
  const context = isKnown ? makeSignerContext(named as string) : { refusal: 'invalid_signature' };
  return { query, ...(segment === undefined ? {} : { spec: segment }), context, ...options };
}

/** A service that finds an image for every request, and the requests that it has served. */
function createServing() {
  const servedRequests: ImageRequest[] = [];
  const service = createImageService({
    obtainStockImage: async (request) => {
      servedRequests.push(request);
      return { outcome: 'served', image: servedImage, cache: 'HIT' };
    },
  });
  return { ...service, servedRequests };
}

const load = (url: string, options: EventOptions = {}) => createImageService().ask(makeEvent(url, options));

describe('the vectors of the client', () => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))(
    'the signature of a URL is verified: %s',
    async (_, { signed, expires }) => {
      const inTime = expires === undefined || Number(expires) > nowS;
      const { status, json } = await load(signed);
      // What the client signs faithfully may still be out of bounds, which is said only behind a valid
      // signature.
      expect([302, 200, ...(inTime ? [400, 502] : [410])]).toContain(status);
      expect(json['code']).not.toBe('invalid_signature');
      const changed = signed.replace(
        /signature=./,
        (start) => `signature=${start.endsWith('A') ? 'B' : 'A'}`,
      );
      expect(await load(changed)).toMatchObject({ status: 401, json: { code: 'invalid_signature' } });
    },
  );
});

describe('changed URLs', () => {
  const characters = 'abcXYZ019-._~%+&=/ é';
  const paths = [
    '/api/image?query=mountain+lake&width=800&height=600',
    '/api/image/800x600-mountain-lake.webp?seed=2',
    '/api/image?query=lake&upto=1920x1080&width=640',
    '/api/image?query=caf%C3%A9&color=blue&avoid=people',
  ];

  test('a URL with one character changed, removed or added is refused, or shows the same image', async () => {
    const { ask, servedRequests } = createServing();
    const originals: { signed: string; request: ImageRequest | undefined; location: string }[] = [];
    for (const path of paths) {
      for (const ends of [{}, { expires: nowS + 60 }]) {
        const signed = await signer.sign(root + path, ends);
        const { status, headers } = await ask(makeEvent(signed));
        expect(status).toBe(302);
        originals.push({ signed, request: servedRequests.at(-1), location: headers['Location'] ?? '' });
      }
    }
    const edits = fc.record({
      original: fc.constantFrom(...originals),
      offset: fc.nat(),
      edit: fc.constantFrom('change', 'remove', 'add'),
      character: fc.constantFrom(...characters),
    });
    await fc.assert(
      fc.asyncProperty(edits, async ({ original, offset, edit, character }) => {
        const { signed, request, location } = original;
        const start = signed.indexOf('/api/image') + '/api/image'.length;
        const i = start + (offset % (signed.length - start));
        const urlEnd = edit === 'add' ? signed.slice(i) : signed.slice(i + 1);
        const changed = signed.slice(0, i) + (edit === 'remove' ? '' : character) + urlEnd;
        fc.pre(/\/api\/image(\/[^/]|$)/.test(parseUrl(changed)?.pathname ?? ''));
        const servedBefore = servedRequests.length;
        const answer = await ask(makeEvent(changed, { headers: imageTag }));
        if (answer.status < 400) {
          expect(servedRequests[servedBefore]).toEqual(request);
          expect(answer.headers['Location']).toBe(location);
        } else expect([400, 401]).toContain(answer.status);
        expect(answer.headers['Cache-Control']).toMatch(answer.status < 400 ? /max-age/ : /^no-store$/);
      }),
      { numRuns: 1_500 },
    );
  });

  test('a changed URL shows an image tag a free card in the size that it names', async () => {
    const { ask, counters } = createImageService();
    const signed = await signer.sign(`${root}/api/image/800x600-mountain-lake`);
    const { body } = await ask(makeEvent(signed.replace('mountain', 'fountain'), { headers: imageTag }));
    expect(parseXml(body)).toMatchObject({ attributes: { width: '800', height: '600' } });
    expect(counters.calls).toEqual([]);
  });

  test('a changed URL is refused with one text for every reason', async () => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const signed = await signer.sign(`${root}/api/image?query=lake`);
    const answers = await Promise.all([
      load(signed.replace('lake', 'sea')),
      load(signed.replace(/&signature=.*/, '')),
      load(signed.replace(/&signer=[^&]*/, '')),
      load(signed.replace(/sg_live_.{12}/, 'sg_live_000000000000')),
      load(signed, { context: { refusal: 'invalid_signature' } }),
      load(signed, { context: { caller: 'anonymous' } }),
      load(signed, { context: makeSignerContext('sg_test_0AbCdEfGhIjK') }),
      load(`${signed}A`),
      // The same signature, its last character spelt otherwise.
      load(signed.slice(0, -1) + (digits[digits.indexOf(signed.at(-1) as string) ^ 1] ?? '')),
      ...signedParameters.filter((name) => name !== 'query').map((name) => load(`${signed}&${name}=1`)),
      load(signed.slice(0, -1)),
    ]);
    for (const { status, json } of answers) {
      expect(status).toBe(401);
      expect(json['detail']).toBe(answers[0]?.json['detail']);
    }
  });
});

describe('the end of a signed URL', () => {
  test.each([
    [nowS + 1, 302],
    [nowS, 410],
    [0, 410],
  ])('a signed URL that ends at %d gets %d', async (expires, status) => {
    const signed = await signer.sign(`${root}/api/image?query=lake`, { expires });
    const { status: given, headers } = await load(signed);
    expect(given).toBe(status);
    // It is the end of every copy of its answer, too.
    if (status === 302) expect(headers['Cache-Control']).toMatch(/^public, max-age=1, s-maxage=1,/);
    expect((await load(signed.replace('lake', 'sea'))).json['code']).toBe('invalid_signature');
  });
});

test('a signed URL in the path form takes the sides of the path', async () => {
  const signed = await signer.sign(`${root}/api/image/640x360-mountain-lake?upto=1920x1080`);
  expect((await load(signed)).status).toBe(302);
  expect((await load(signed.replace('640x360', '828x466'))).status).toBe(302);
  expect((await load(signed.replace('640x360', '640x640'))).status).toBe(400);
});

describe('the record of a signed URL', () => {
  const recordOf = async (path: string, expires?: number) => {
    const signed = await signer.sign(root + path, expires === undefined ? {} : { expires });
    const { json } = await load(`${signed}&format=json`);
    const srcset = String(json['srcset'])
      .split(', ')
      .map((candidate) => candidate.split(' ') as [string, string]);
    const [, src = ''] = /<img src="([^"]*)"/.exec(String(json['html'])) ?? [];
    return { srcset, src: src.replaceAll('&#38;', '&') };
  };

  test.each([
    ['/api/image?query=Mountain+LAKE&width=1000&height=600', 1_000],
    ['/api/image?query=lake&upto=1920x1080&width=640', 1_280],
    ['/api/image/1200x800-caf%C3%A9.webp?seed=2', 1_200],
  ])('%s names signed URLs that work, none wider than what was signed', async (path, widest) => {
    const { srcset, src } = await recordOf(path, nowS + 60);
    expect(srcset.length).toBeGreaterThan(2);
    for (const [url, width] of [...srcset, [src, '']] as const) {
      expect(new URL(url).searchParams.get('expires')).toBe(String(nowS + 60));
      expect((await load(url)).status).toBe(302);
      expect(Number(width.slice(0, -1))).toBeLessThanOrEqual(widest);
    }
    for (const [url, width] of srcset) expect(`${new URL(url).searchParams.get('width')}w`).toBe(width);
  });
});
