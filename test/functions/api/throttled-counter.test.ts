/** What a caller is answered whose counter takes no more writes. */

import { createImageService, imageTag, rateOf } from './image-service';

const query = { query: ['lake'] };

test('a throttled counter is 429 rate_limited with Retry-After: 1, without a rate limit status, which is not known', async () => {
  const { ask, counters } = createImageService();
  counters.script.push('throttled');
  const { status, headers, json } = await ask({ query });
  expect(status).toBe(429);
  expect(json).toMatchObject({ code: 'rate_limited', status: 429 });
  expect(headers['Retry-After']).toBe('1');
  expect(rateOf(headers)).toEqual([]);
});

test('an image tag gets the card of it, and nothing is charged or given back', async () => {
  const { ask, counters } = createImageService();
  counters.script.push('throttled');
  const { status, headers } = await ask({ query, headers: imageTag });
  expect([status, headers['Retry-After'], headers['X-Image-Fallback']]).toEqual([429, '1', 'rate_limited']);
  expect(counters.calls.map(({ operation }) => operation)).toEqual(['take', 'take', 'take']);
  expect((await ask({ query })).headers['X-RateLimit-Remaining']).toBe('9');
});
