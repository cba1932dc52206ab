/** The real clock of the machine. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../ports/clock';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: async (delayMs, signal) => {
    await sleep(delayMs, undefined, signal ? { signal } : {});
  },
};
