/** The clock, the timers and the ids of this machine. */

import { systemClock, systemIds } from '../../lambda/base/system';
import { timeOfUlid } from '../../lambda/base/ulid';

test('an id has as many random bytes as it says, or 80 random bits behind its moment', () => {
  expect(systemIds.hex(16)).toMatch(/^[0-9a-f]{32}$/);
  const [one, other] = [systemIds.ulid(1_000), systemIds.ulid(1_000)];
  expect(one).not.toBe(other);
  expect([one.length, timeOfUlid(one), timeOfUlid(other)]).toEqual([26, 1_000, 1_000]);
});

test('a pause ends with its signal', async () => {
  const abort = new AbortController();
  const pause = systemClock.sleep(60_000, abort.signal);
  abort.abort(new Error('enough'));
  await expect(pause).rejects.toThrow();
});
