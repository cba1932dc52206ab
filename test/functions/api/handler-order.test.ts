/** What has happened by the time an image request is answered, and how long it may take. */

import { routes } from '../../../lambda/contract/routes';
import {
  arrivalSkewMsMax,
  closingMs,
  functionTimeoutsS,
  gatewayTimeoutMs,
  requestBudgetMs,
} from '../../../lambda/contract/timeouts';
import { apiHandler } from '../../../lambda/functions/api/handler';
import type { RequestContext } from '../../../lambda/quota/request-context';
import { createDeferred, isSettled } from '../../fakes/deferred';
import { imageServices } from '../../fakes/image-services';
import { anImage } from '../../fakes/stock';
import { createVirtualClock } from '../../fakes/virtual-clock';
import { startMs } from './image-service';
import { type EventOptions, proxyEventOf } from './proxy-event';

const rateLimit = {
  limit: 10,
  remaining: 9,
  window: { kind: 'hour', label: '2026-11-21T12', startMs, endMs: startMs + 1 },
} as const;

const opened = (recordUsage: () => Promise<void>) => {
  const contexts: RequestContext[] = [];
  const rootUrls: string[] = [];
  const { services } = imageServices(
    {
      serveStock: async (_request, context) => {
        contexts.push(context);
        return {
          outcome: 'served',
          image: anImage,
          cache: 'HIT',
          payment: { state: 'charged', units: [], rateLimit },
        };
      },
      recordUsage,
      onRootUrl: (url) => void rootUrls.push(url),
    },
    { clock: createVirtualClock(startMs) },
  );
  const handler = apiHandler(services);
  const answer = (receivedMs = startMs, more: EventOptions = {}) =>
    handler(proxyEventOf({ query: { query: ['lake'] }, receivedMs, ...more }));
  return { contexts, rootUrls, answer };
};

test('usage is recorded before the answer, as a function is frozen after it', async () => {
  const recorded = createDeferred<void>();
  const { answer } = opened(() => recorded.promise);
  const answered = answer();
  expect(await isSettled(answered)).toBe(false);
  recorded.resolve();
  expect(await isSettled(answered)).toBe(true);
});

test('a request has to be answered before the function and the gateway give up', () => {
  expect(requestBudgetMs).toBeGreaterThan(10_000);
  expect(requestBudgetMs).toBeLessThan(Math.min(functionTimeoutsS.api * 1_000, gatewayTimeoutMs));
});

test.each([
  ['when the gateway received it', -1_000, -1_000],
  ['at most three seconds before the function started', -60_000, -arrivalSkewMsMax],
  ['when the function started, by a gateway whose clock is ahead', 60_000, 0],
])('the time of a request begins %s', async (_, receivedMs, beginsMs) => {
  const { contexts, answer } = opened(async () => undefined);
  await answer(startMs + receivedMs);
  expect(contexts[0]?.deadlineMs).toBe(startMs + beginsMs + requestBudgetMs - closingMs);
});

test.each([
  ['GET', routes.image],
  ['POST', routes.images],
  ['POST', routes.pages],
  ['POST', routes.mcp],
])(
  'whoever %s %s may search for knows the URL of the service, which providers may ask for',
  async (method, route) => {
    const { rootUrls, answer } = opened(async () => undefined);
    await answer(startMs, { method, route });
    expect(rootUrls).toEqual(['https://api.example.org/prod']);
  },
);
