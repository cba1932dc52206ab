/** Lets the requests of each caller begin in turn, so that the flood of one account does not delay what others ask for. */

import { setTimeout } from 'node:timers/promises';

/** Begins work of a caller when it is its turn, and returns what it comes to. */
export type FairQueue = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes the queue. Lambda runs each request in an instance of its own; here all share one thread, where a step of a known
 * image waits for a step of each other request. So a caller who asks faster than it is answered gets one at a time.
 * @param atOnce pieces of work of one caller that begin without waiting
 * @param turnMs how long work keeps the next one waiting at most, in milliseconds: a request may wait long for its AI image
 */
export function createFairQueue(atOnce: number, turnMs = 100): FairQueue {
  const callers = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (caller, work) => {
    const own = callers.get(caller) ?? { running: 0, waiting: [] };
    callers.set(caller, own);
    if (own.waiting.length > 0 || own.running >= atOnce)
      await new Promise<void>((begin) => own.waiting.push(begin));
    own.running += 1;
    const answer = work();
    const turn = new AbortController();
    const end = () => {
      turn.abort();
      own.running -= 1;
      if (own.running === 0) own.waiting.shift()?.();
    };
    Promise.race([answer, setTimeout(turnMs, undefined, { ref: false, signal: turn.signal })]).then(end, end);
    return answer;
  };
}
