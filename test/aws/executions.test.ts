/** The executions of the account are read seldom, and a failure of the read does not stop a request. */

import { readExecutions } from '../../lambda/aws/executions';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { createVirtualClock } from '../fakes/clock';
import { createRecordedTelemetry } from '../fakes/telemetry';

/** Creates an instance. @param replies of Lambda, in order; a read without one fails */
function createInstance(...replies: (number | undefined)[]) {
  const [clock, telemetry] = [createVirtualClock(), createRecordedTelemetry()];
  const memory = createExpiringCache<Promise<number>>(2);
  const readFromLambda = async () => replies.shift() ?? Promise.reject(new Error('no'));
  const read = () => readExecutions({ clock, telemetry }, memory, readFromLambda);
  return { clock, telemetry, read };
}

test('the executions are read once an hour, for all images', async () => {
  const { clock, read } = createInstance(900, 800);
  expect(await Promise.all([read(), read()])).toEqual([900, 900]);
  await clock.advance(3_599_999);
  expect(await read()).toBe(900);
  await clock.advance(1);
  expect(await read()).toBe(800);
});

test('an account whose executions cannot be read has those of a new account for a minute', async () => {
  const { clock, telemetry, read } = createInstance(undefined, 900);
  expect(await Promise.all([read(), read()])).toEqual([10, 10]);
  expect(telemetry.errors).toHaveLength(1);
  await clock.advance(59_999);
  expect(await read()).toBe(10);
  await clock.advance(1);
  expect(await read()).toBe(900);
});

test('after a later failure, the last number serves on', async () => {
  const { clock, read } = createInstance(900, undefined);
  await read();
  await clock.advance(3_600_000);
  expect(await read()).toBe(900);
});
