/** What an instance believes of the executions of its account. */

import { readExecutions } from '../../lambda/aws/executions';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { createVirtualClock } from '../fakes/clock';
import { createRecordedTelemetry } from '../fakes/telemetry';

test('the executions are read once an hour for all images, after a failure once a minute', async () => {
  const [clock, telemetry] = [createVirtualClock(), createRecordedTelemetry()];
  const memory = createExpiringCache<Promise<number>>(2);
  const answers = [undefined, 900, undefined];
  const read = async () => answers.shift() ?? Promise.reject(new Error('no'));
  const readAgain = () => readExecutions({ clock, telemetry }, memory, read);
  const readTwice = () => Promise.all([readAgain(), readAgain()]);
  // Those of a new account.
  expect([await readTwice(), answers.length]).toEqual([[10, 10], 2]);
  await clock.advance(60_000);
  expect([await readTwice(), answers.length]).toEqual([[900, 900], 1]);
  await clock.advance(3_600_000);
  expect([await readTwice(), answers.length]).toEqual([[900, 900], 0]);
  expect(telemetry.errors).toHaveLength(2);
});
