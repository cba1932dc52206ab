/** The machine that a function runs on: its clock, its timers and its random source. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Ids, Later } from './clock';
import { ulidOf } from './ulid';

/** The clock and the timers of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: async (delayMs, signal) => {
    await sleep(delayMs, undefined, signal ? { signal } : {});
  },
};

/** Ids from the random source of this machine. */
export const systemIds: Ids = {
  ulid: (nowMs) => ulidOf(nowMs, randomBytes(10)),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};

/** Keeps no process alive: one that ends does without. */
export const systemLater: Later = (delayMs, work) => {
  setTimeout(work, delayMs).unref();
};
