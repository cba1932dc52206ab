/** Begins the requests of each caller in turn, so that a flood by one account does not delay the others. */

import { setTimeout } from 'node:timers/promises';

/** Begins work when it is its caller's turn, and returns its result. */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes the queue. Lambda runs each request in an instance of its own; here all share one thread. So a caller
 * who asks faster than the service answers gets one answer at a time.
 * @param atOnce requests of one caller that begin without waiting
 * @param turnMs longest time that a request keeps the next one waiting, in milliseconds
 */
export function createFairQueue(atOnce: number, turnMs = 100): FairQueue {
  const callers = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (caller, work) => {
    const queue = callers.get(caller) ?? { running: 0, waiting: [] };
    callers.set(caller, queue);
    if (queue.waiting.length > 0 || queue.running >= atOnce)
      await new Promise<void>((begin) => queue.waiting.push(begin));
    queue.running += 1;
    const answer = work();
    const turn = new AbortController();
    const end = () => {
      turn.abort();
      queue.running -= 1;
      if (queue.running === 0) queue.waiting.shift()?.();
    };
    Promise.race([answer, setTimeout(turnMs, undefined, { ref: false, signal: turn.signal })]).then(end, end);
    return answer;
  };
}
