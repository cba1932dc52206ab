/**
 * Lets requests of different accounts take turns. The local service has one thread, so without turns one busy script
 * would block all others. On Lambda each request has its own instance, so nothing takes turns there.
 */

import { setTimeout } from 'node:timers/promises';

/** Begins work when it is its caller's turn. The result is `undefined` if too much work waits. */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T | undefined>;

/** The longest turn of a request in milliseconds. After it, the caller's next request may begin. */
const turnMs = 100;

/**
 * Creates the queue. A caller who asks faster than the service responds takes turns of `turnMs` at most. After each
 * turn comes a pause, twice as long as the turn, so that other callers have two thirds of the time.
 * @param bounds `atOnce`: requests of one caller that run at the same time; `waitingMax`: requests that may wait
 * @param wait resolves after so many milliseconds
 */
export function createFairQueue(
  { atOnce, waitingMax }: { readonly atOnce: number; readonly waitingMax: number },
  wait = (ms: number): Promise<unknown> => setTimeout(ms, undefined, { ref: false }),
): FairQueue {
  const callers = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (caller, work) => {
    const queue = callers.get(caller) ?? { running: 0, waiting: [] };
    callers.set(caller, queue);
    if (queue.waiting.length >= waitingMax) return undefined;
    if (queue.waiting.length > 0 || queue.running >= atOnce)
      await new Promise<void>((begin) => queue.waiting.push(begin));
    queue.running += 1;
    const beganMs = performance.now();
    const endTurn = async () => {
      if (queue.waiting.length > 0) await wait(2 * (performance.now() - beganMs));
      queue.running -= 1;
      if (queue.running > 0) return;
      const beginNext = queue.waiting.shift();
      if (beginNext) beginNext();
      else callers.delete(caller);
    };
    const result = work();
    Promise.race([result, wait(turnMs)]).then(endTurn, endTurn);
    return result;
  };
}
