/** The clock, the timers and the ids of this machine. */

import { systemClock, systemIds, systemLater } from '../../lambda/base/system';
import { timeOfUlid } from '../../lambda/base/ulid';

test('an id has as many random bytes as it says, or 80 random bits behind its moment', () => {
  expect(systemIds.hex(16)).toMatch(/^[0-9a-f]{32}$/);
  const [one, other] = [systemIds.ulid(1_000), systemIds.ulid(1_000)];
  expect(one).not.toBe(other);
  expect([one.length, timeOfUlid(one), timeOfUlid(other)]).toEqual([26, 1_000, 1_000]);
});

test('a pause ends with its signal, and work that is left for later keeps no process alive', async () => {
  const abort = new AbortController();
  const pause = systemClock.sleep(60_000, abort.signal);
  abort.abort(new Error('enough'));
  await expect(pause).rejects.toThrow();
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  systemLater(60_000, () => undefined);
  expect(timers()).toBe(before);
});
