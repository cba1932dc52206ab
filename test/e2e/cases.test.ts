/** The end-to-end cases, against a local service or the deployment that E2E_URL names. */

import { ask, header, imageBehind } from './ask';
import { cases } from './cases';
import { openTarget, type Target } from './target';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
}, 60_000);
afterAll(() => target.close());

test.each(cases)(
  '$promise: $path',
  async ({ path, method, key, keyIn, headers, status, code, size, source }) => {
    const value = key && target.keys[key];
    const inQuery = value && keyIn === 'query';
    const answer = await ask(target.url, {
      path: inQuery ? `${path}${path.includes('?') ? '&' : '?'}api_key=${value}` : path,
      ...(method ? { method } : {}),
      headers: { ...headers, ...(value && !inQuery ? { 'X-API-Key': value } : {}) },
    });

    expect(answer.status).toBe(status);
    expect(header(answer, 'access-control-allow-origin')).toBe('*');
    if (method !== 'OPTIONS') expect(header(answer, 'cross-origin-resource-policy')).toBe('cross-origin');
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
        expect(header(answer, name)).not.toBe('');
      if (source) expect(header(answer, 'x-image-source')).toBe(source);
    }
    if (size) {
      const { width, height } = await imageBehind(answer);
      expect([width, height]).toEqual(size);
    }
    if (code) {
      const isCard = headers?.['accept']?.startsWith('image/') === true;
      expect(header(answer, 'cache-control')).toBe('no-store');
      if (isCard) {
        expect(header(answer, 'x-image-fallback')).toBe(code);
        expect(answer.body).toMatch(/^<svg /);
      } else {
        expect(header(answer, 'content-type')).toContain('application/problem+json');
        expect(JSON.parse(answer.body)).toMatchObject({ code, status });
      }
    }
  },
  60_000,
);
