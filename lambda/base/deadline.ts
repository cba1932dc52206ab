/** Ends work that takes too long. */

import { closingMs } from '../contract/timeouts';
import type { Clock } from './clock';

/** Thrown in place of the result of work that took too long. */
export class DeadlineReached extends Error {
  override readonly name = 'DeadlineReached';
}

/**
 * The time that one request has, and the tables that have not answered it. Every call out of the process ends with that
 * time: calls of tables by `lambda/aws/dynamodb.ts`, all others by `signalWithin`.
 */
export interface Deadline {
  /** Moment (epoch, milliseconds) by which the work must have ended. */
  readonly endsMs: number;
  /** Tables that have used up the attempts of a call in this request, by name: they are read no more. */
  readonly silentTables: Set<string>;
}

/** What a call to what is outside of the process needs of `Services`. */
export interface Timed {
  readonly clock: Clock;
  readonly deadline: Deadline;
}

/** The deadline of a new request. @param endsMs moment (epoch, milliseconds); `Infinity` for work without an end, such as a tool's */
export function deadlineAt(endsMs: number): Deadline {
  return { endsMs, silentTables: new Set() };
}

/**
 * The signal for one call outside of the process (S3, Lambda, a provider, a model): aborted after `waitMsMax`
 * milliseconds, or when the request has no time left. For DynamoDB, `read` and `write` see to that.
 */
export function signalWithin(
  { clock, deadline }: { readonly clock: Pick<Clock, 'nowMs'>; readonly deadline: Deadline },
  waitMsMax: number,
): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(Math.min(waitMsMax, deadline.endsMs - clock.nowMs()))));
}

/**
 * The services for what must follow the work of a request although its time may be over: a refund, a claim that is given
 * up. They have two seconds more, which the answer waits for.
 */
export function closing<S extends { readonly deadline: Deadline }>(services: S): S {
  const { deadline } = services;
  return { ...services, deadline: { ...deadline, endsMs: deadline.endsMs + closingMs } };
}

/** Parts in which a timeout is waited for. */
const timeoutParts = 5;

/**
 * Waits for work for a time in milliseconds, and aborts its signal then. Where this process was too busy to wake in time,
 * the delay is not counted against the work: an answer may have arrived and not have been read.
 * @throws `DeadlineReached`, or what the work throws
 */
export function withTimeout<T>(
  clock: Pick<Clock, 'sleep'>,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return race(work, async (signal) => {
    for (let part = 0; part < timeoutParts; part++) await clock.sleep(timeoutMs / timeoutParts, signal);
  });
}

/**
 * Waits for work until a moment (epoch, milliseconds), and aborts its signal then.
 * @throws `DeadlineReached`, or what the work throws
 */
export function withDeadline<T>(
  clock: Clock,
  endsMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return race(work, (signal) => clock.sleep(Math.max(0, endsMs - clock.nowMs()), signal));
}

/**
 * Aborts the signal of work after a time in milliseconds, with an error of this message, and leaves it to the work to
 * end then. As with `withTimeout`, a time in which this process was too busy to wake is not counted against the work.
 * Half the price of `AbortSignal.timeout`, whose timers would also outlive the work: for calls that every request
 * makes.
 */
export async function abortAfter<T>(
  timeoutMs: number,
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  let part = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    if (part++ < timeoutParts) timer = setTimeout(wait, timeoutMs / timeoutParts);
    else deadline.abort(new DeadlineReached(message));
  };
  wait();
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function race<T>(
  work: (signal: AbortSignal) => Promise<T>,
  end: (signal: AbortSignal) => Promise<void>,
): Promise<T> {
  const abort = new AbortController();
  const timer = new AbortController();
  const reached = end(timer.signal).then(() => {
    const error = new DeadlineReached('The work was not done in time.');
    abort.abort(error);
    throw error;
  });
  reached.catch(() => undefined); // It is not awaited when the work throws at once.
  try {
    return await Promise.race([work(abort.signal), reached]);
  } finally {
    timer.abort(null); // Nobody reads the reason, and the one by default is an error with a stack.
  }
}
