/** One function instance of the simulation: it has its own clock, can be paused, and can crash at any call. */

import type { Clock } from '../../../lambda/base/clock';
import type { Scheduler } from './scheduler';

export interface Actor {
  readonly name: string;
  readonly clock: Clock;
  isAlive(): boolean;
  /** From now on nothing reaches it any more and it does nothing more; what it has sent is on its way. */
  die(): void;
  /** A promise that never settles for a crashed actor. */
  receive<T>(start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T>;
}

/** @param skewMs how far the actor's clock is ahead at a moment of virtual time */
export function createActor(scheduler: Scheduler, name: string, skewMs: (nowMs: number) => number): Actor {
  let alive = true;
  const receive: Actor['receive'] = (start) =>
    new Promise((resolve, reject) => {
      if (!alive) return;
      start(
        (value) => {
          if (alive) resolve(value);
        },
        (error) => {
          if (alive) reject(error);
        },
      );
    });
  return {
    name,
    isAlive: () => alive,
    die: () => {
      alive = false;
    },
    receive,
    clock: {
      nowMs: () => scheduler.nowMs() + skewMs(scheduler.nowMs()),
      sleep: (delayMs) => receive((resolve) => scheduler.after(delayMs, () => resolve(undefined))),
    },
  };
}
