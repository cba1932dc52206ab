/** Begins the requests of each caller in turn, so that a flood by one account does not delay the others. */

import { setTimeout } from 'node:timers/promises';

/** Begins work when it is its caller's turn, and returns its result; `undefined` when too much work waits. */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T | undefined>;

/** The longest time that a request keeps its caller's next one waiting, in milliseconds. */
const turnMs = 100;

/**
 * Makes the queue. Lambda runs each request in an instance of its own; here all share one thread. So a caller
 * who asks faster than the service answers gets one answer at a time, and after each a pause that is twice as
 * long as the answer took, so that two thirds of the time are left to other callers.
 * @param bounds `atOnce`: requests of one caller that begin without waiting; `waitingMax`: those that wait
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
      if (queue.running === 0) queue.waiting.shift()?.();
    };
    const result = work();
    Promise.race([result, wait(turnMs)]).then(endTurn, endTurn);
    return result;
  };
}
