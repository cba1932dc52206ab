/** The time that an image request may take. */

import { routes } from '../../../lambda/contract/routes';
import { arrivalSkewMsMax, closingMs, requestBudgetMs } from '../../../lambda/contract/timeouts';
import { createImageService, startMs } from './image-service';
import { liveContext } from './proxy-event';

test.each([
  ['when the gateway received it', -1_000, -1_000],
  ['at most three seconds before the function started', -60_000, -arrivalSkewMsMax],
  ['when the function started, by a gateway whose clock is ahead', 60_000, 0],
])('the time of a request begins %s', async (_, receivedMs, beginsMs) => {
  const ends: unknown[] = [];
  const { ask } = createImageService({
    serveAi: async (_, __, { deadlineMs }) => {
      ends.push(deadlineMs);
      return { outcome: 'refused', refusal: { code: 'content_refused' } };
    },
  });
  const query = { query: ['lake'], provider: ['ai'] };
  await ask({ query, receivedMs: startMs + receivedMs, context: liveContext });
  expect(ends).toEqual([startMs + beginsMs + requestBudgetMs - closingMs]);
});

test.each([
  ['GET', routes.image],
  ['POST', routes.images],
  ['POST', routes.pages],
  ['POST', routes.mcp],
])(
  'whoever %s %s may search for knows the URL of the service, which providers may ask for',
  async (method, route) => {
    const { ask, services } = createImageService();
    await ask({ query: { query: ['lake'] }, method, route });
    expect(services.lastRequest.rootUrl).toBe('https://api.example.org/prod');
  },
);
