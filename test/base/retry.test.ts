/** Pauses between attempts grow until a given moment. */

import { systemClock } from '../../lambda/base/clock';
import { createPauses } from '../../lambda/base/retry';

test('pauses grow, but end at the given moment', async () => {
  let nowMs = 5_000;
  const slept: number[] = [];
  const sleep = async (delayMs: number) => {
    slept.push(delayMs);
    nowMs += delayMs;
  };
  const clock = { ...systemClock, nowMs: () => nowMs, sleep };
  const pause = createPauses(clock, { firstMs: 100, growth: 2, endsMs: 5_400 });
  expect([await pause(), await pause(), await pause(), await pause()]).toEqual([true, true, true, false]);
  expect(slept).toEqual([100, 200, 100]);
});
