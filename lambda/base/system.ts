/** The machine that a function runs on: its clock, its timers and its random source. */

import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from './clock';
import { createUlid } from './ulid';

function after(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

/** The clock and the timers of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after,
  // `node:timers/promises` makes an error with a stack for each pause that ends early.
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = after(delayMs, () => {
        signal?.removeEventListener('abort', end);
        resolve();
      });
      signal?.addEventListener('abort', end, { once: true });
    }),
};

/** Ids from the random source of this machine. */
export const systemIds: Ids = {
  ulid: (nowMs) => createUlid(nowMs, randomBytes(10)),
  bytes: (count) => randomBytes(count),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
