/** URLs of stored images, and their signatures. */

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { makePublicUrl, makeSignedUrl, signText } from '../../lambda/images/delivery-urls';
import { hasValidSignature } from '../../local/cdn';
import { bindServices } from '../fakes/bound';
import { makeStoredPath } from '../fakes/values';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const publicKeyPem = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const keyPairId = 'K2JCJMDEHXQW5F';
const baseUrl = 'https://d111111abcdef8.cloudfront.net';
const hourMs = 3_600_000;

const createDelivery = (
  readPrivateKey = async () => privateKeyPem,
  signedUrls = createExpiringCache(1_000),
) => bindServices({ baseUrl, keyPairId, readPrivateKey, signedUrls }, { makePublicUrl, makeSignedUrl });
const checkUrl = (url: string, nowMs: number) =>
  hasValidSignature(url, publicKeyPem, keyPairId, nowMs) ? 'valid' : 'refused';

const moment = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2090, 0) });
const path = fc.stringMatching(/^private\/[a-z0-9]{1,12}\/[a-z0-9][a-z0-9-]{0,8}\.(webp|jpeg|avif|png)$/);
const delivery = createDelivery();

describe('makeSignedUrl', () => {
  test('a signed URL is valid for at least an hour', () =>
    fc.assert(
      fc.asyncProperty(path, moment, async (image, nowMs) => {
        const { url, endsMs } = await delivery.makeSignedUrl(makeStoredPath(image), nowMs);
        expect(endsMs - nowMs).toBeGreaterThanOrEqual(hourMs);
        expect(endsMs - nowMs).toBeLessThan(2 * hourMs);
        expect(checkUrl(url, nowMs)).toBe('valid');
        expect(checkUrl(url, endsMs - 1)).toBe('valid');
        expect(checkUrl(url, endsMs)).toBe('refused');
      }),
      { numRuns: 50 },
    ));

  test('every instance makes the same signed URL until the next window', () =>
    fc.assert(
      fc.asyncProperty(
        path,
        moment,
        fc.nat(hourMs - 1),
        fc.nat(hourMs - 1),
        async (image, from, one, other) => {
          const start = Math.ceil(from / hourMs) * hourMs + 1;
          const first = await delivery.makeSignedUrl(makeStoredPath(image), start + one);
          expect(await createDelivery().makeSignedUrl(makeStoredPath(image), start + other)).toEqual(first);
          const next = await delivery.makeSignedUrl(makeStoredPath(image), start + hourMs);
          expect(next.url).not.toBe(first.url);
        },
      ),
      { numRuns: 30 },
    ));

  test('a signed URL is refused after any change of it or of its key', async () => {
    const nowMs = Date.UTC(2026, 10, 21);
    const { url } = await delivery.makeSignedUrl(makeStoredPath('private/a/b.webp'), nowMs);
    for (let index = 0; index < url.length; index++) {
      expect(checkUrl(url.slice(0, index) + url.slice(index + 1), nowMs)).toBe('refused');
      expect(checkUrl(`${url.slice(0, index)}0${url.slice(index)}`, nowMs)).toBe('refused');
    }
    for (const changed of [`${url}&Expires=9999999999`, `${url}&width=1`, url.replace('/a/', '/c/')])
      expect(checkUrl(changed, nowMs)).toBe('refused');
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const otherPem = other.export({ type: 'spki', format: 'pem' }) as string;
    expect(hasValidSignature(url, otherPem, keyPairId, nowMs)).toBe(false);
    expect(new URL(url).searchParams.get('Hash-Algorithm')).toBe('SHA256');
    expect(url.length).toBeLessThan(260);
  });

  test('a signed URL is signed once after the key can be read', async () => {
    const reads = [Promise.reject(new Error('no answer')), Promise.resolve(privateKeyPem)];
    const retriedDelivery = createDelivery(() => reads.shift() as Promise<string>);
    await expect(retriedDelivery.makeSignedUrl(makeStoredPath('private/a.png'), 0)).rejects.toThrow(
      'no answer',
    );
    for (const _ of [1, 2]) await retriedDelivery.makeSignedUrl(makeStoredPath('private/a.png'), 0);
    expect(reads).toEqual([]);
  });

  test('only private images have signed URLs', async () => {
    expect(delivery.makePublicUrl(makeStoredPath('stock/a.webp'))).toBe(`${baseUrl}/stock/a.webp`);
    expect(() => delivery.makePublicUrl(makeStoredPath('private/a.webp'))).toThrow(RangeError);
    await expect(delivery.makeSignedUrl(makeStoredPath('public/a.webp'), 0)).rejects.toThrow(RangeError);
  });
});

describe('signText', () => {
  test('a signature equals the sample of RFC 6979', async () => {
    // RFC 6979, A.2.5: P-256, SHA-256, message "sample".
    const d = 'C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721';
    const x = '60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6';
    const y = '7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299';
    const r = 'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716';
    const s = 'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8';
    const encodeField = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
    const jwk = { kty: 'EC', crv: 'P-256', d: encodeField(d), x: encodeField(x), y: encodeField(y) };
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    const pem = key.export({ type: 'sec1', format: 'pem' }) as string;
    const signature = Buffer.from(signText(pem, 'sample')).toString('hex').toUpperCase();
    expect(signature).toBe(`3046022100${r}022100${s}`);
  });

  test('a signature needs a P-256 key', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const pem = rsa.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(() => signText(pem, 'x')).toThrow(TypeError);
  });
});
