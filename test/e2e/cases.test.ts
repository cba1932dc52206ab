/** The end-to-end cases, against a local service or the deployment that E2E_URL names. */

import { ask, getHeader, loadImage } from './ask';
import { cases } from './cases';
import { getSharedService } from './shared-service';

interface Target {
  readonly url: string;
  readonly keys: { readonly live: string; readonly test: string };
}

/** The deployment named by E2E_URL with E2E_LIVE_KEY and E2E_TEST_KEY, else a local service. */
async function openTarget(): Promise<Target> {
  const { E2E_URL: url, E2E_LIVE_KEY: live, E2E_TEST_KEY: test } = process.env;
  if (url !== undefined) {
    if (!live || !test) throw new Error('E2E_URL needs E2E_LIVE_KEY and E2E_TEST_KEY beside it');
    return { url: url.replace(/\/+$/, ''), keys: { live, test } };
  }
  const service = await getSharedService();
  return { url: service.url, keys: service.keys.pro };
}

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});

test.each(cases)(
  '$promise: $path',
  async ({ path, method, key, keyIn, headers, status, code, size, cardSize, cardType, format, source }) => {
    const value = key && target.keys[key];
    const isInQuery = value && keyIn === 'query';
    const answer = await ask(target.url, {
      path: isInQuery ? `${path}${path.includes('?') ? '&' : '?'}api_key=${value}` : path,
      ...(method ? { method } : {}),
      headers: { ...headers, ...(value && !isInQuery ? { 'X-API-Key': value } : {}) },
    });

    expect(answer.status).toBe(status);
    expect(getHeader(answer, 'access-control-allow-origin')).toBe('*');
    if (method !== 'OPTIONS') expect(getHeader(answer, 'cross-origin-resource-policy')).toBe('cross-origin');
    if (value) expect(JSON.stringify([...answer.headers]) + answer.body).not.toContain(value);

    if (status === 302) {
      for (const name of [
        'x-cache',
        'x-image-source',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'x-response-time',
      ])
        expect(getHeader(answer, name)).not.toBe('');
      if (source) expect(getHeader(answer, 'x-image-source')).toBe(source);
    }
    if (size) {
      const image = await loadImage(answer);
      expect([image.width, image.height]).toEqual(size);
      if (format) expect(image.format).toBe(format);
    }
    if (code) {
      const isCard = headers?.['accept']?.startsWith('image/') === true;
      expect(getHeader(answer, 'cache-control')).toBe('no-store');
      if (isCard) {
        expect(getHeader(answer, 'x-image-fallback')).toBe(code);
        expect(getHeader(answer, 'content-type')).toContain(cardType ?? 'image/svg+xml');
        expect(answer.body).toMatch(cardType === undefined ? /^<svg / : /^.PNG/);
        if (cardSize) expect(answer.body).toContain(` width="${cardSize[0]}" height="${cardSize[1]}" `);
      } else {
        expect(getHeader(answer, 'content-type')).toContain('application/problem+json');
        expect(JSON.parse(answer.body)).toMatchObject({ code, status });
      }
    }
  },
);

test('a redirect states its length but has no body for HEAD', async () => {
  const askForRedirect = (method: string) =>
    ask(target.url, {
      path: '/api/image/200x200-forest',
      method,
      headers: { 'X-API-Key': target.keys.live },
    });
  await askForRedirect('GET');
  const get = await askForRedirect('GET');
  const head = await askForRedirect('HEAD');
  expect([get.status, head.status, head.body]).toEqual([302, 302, '']);
  expect(getHeader(get, 'content-length')).toBe(String(Buffer.byteLength(get.body)));
});
