/** `getImage` of `image.ts`: when its time begins and ends. */

import { arrivalSkewMsMax, closingReserveMs, requestBudgetMs } from '../../../lambda/contract/timeouts';
import { createImageService, startMs } from './image-service';
import { liveContext } from './proxy-event';

test.each([
  ['when the gateway received it', -1_000, -1_000],
  ['at most three seconds before the function started', -60_000, -arrivalSkewMsMax],
  ['when the function started, by a gateway whose clock is ahead', 60_000, 0],
])('the time budget of a request begins %s', async (_, receivedMs, beginsMs) => {
  const ends: unknown[] = [];
  const { ask } = createImageService({
    serveAiByWordsOrPick: async (_, __, { deadlineMs }) => {
      ends.push(deadlineMs);
      return { outcome: 'refused', refusal: { code: 'content_refused' } };
    },
  });
  const query = { query: ['lake'], provider: ['ai'] };
  await ask({ query, receivedMs: startMs + receivedMs, context: liveContext });
  expect(ends).toEqual([startMs + beginsMs + requestBudgetMs - closingReserveMs]);
});
