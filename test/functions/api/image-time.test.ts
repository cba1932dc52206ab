/** `getImage` of `image.ts`: when its time begins and ends. */

import { arrivalSkewMsMax, closingReserveMs, requestBudgetMs } from '../../../lambda/contract/timeouts';
import type { Services } from '../../../lambda/services/services';
import { createImageService, startMs } from './image-service';

test.each([
  ['when the gateway received it', -1_000, -1_000],
  ['at most three seconds before the function started', -60_000, -arrivalSkewMsMax],
  ['when the function started, by a gateway whose clock is ahead', 60_000, 0],
])('the time budget of a request begins %s', async (_, receivedMs, beginsMs) => {
  const ends: unknown[] = [];
  const { ask, services } = createImageService();
  const readAddressKey: Services['readAddressKey'] = async ({ endsMs }) => String(ends.push(endsMs));
  Object.assign(services, { readAddressKey });
  await ask({ query: { query: ['lake'] }, receivedMs: startMs + receivedMs });
  expect(ends).toEqual([startMs + beginsMs + requestBudgetMs - closingReserveMs]);
});
