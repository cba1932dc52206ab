/**
 * Ends work that takes too long. `runUntil` and `runWithTimeout` also stop waiting for work that ignores its
 * signal; `abortAfter` and `signalWithin` abort calls of AWS and of `fetch`, which end by their signals.
 */

import { closingReserveMs } from '../contract/timeouts';
import type { Clock } from './clock';
import { Outage } from './outage';

/** Thrown in place of the result of work that took too long. */
export class DeadlineReached extends Outage {
  override readonly name = 'DeadlineReached';
}

/**
 * The end of one request, and the tables that have not answered it. Each call out of the process ends by
 * then: `lambda/aws/dynamodb.ts` sees to it for tables, `signalWithin` for the rest.
 */
export interface Deadline {
  /** Moment (epoch, milliseconds) by which the work must have ended. */
  readonly endsMs: number;
  /** Names of tables that this request reads no more, as one of its calls got no answer from them. */
  readonly silentTables: Set<string>;
}

/** The services that a call out of the process takes. */
export interface TimedServices {
  readonly clock: Clock;
  readonly deadline: Deadline;
}

/** Makes a deadline. @param endsMs moment (epoch, milliseconds); `Infinity` for the work of a tool */
export function deadlineAt(endsMs: number): Deadline {
  return { endsMs, silentTables: new Set() };
}

/**
 * Makes the signal of one call to S3, Lambda, a provider or a model: aborted after `waitMsMax` milliseconds,
 * or at the end of the request. Calls of DynamoDB have their own, in `readTable` and `writeTable`.
 */
export function signalWithin(
  { clock, deadline }: { readonly clock: Pick<Clock, 'nowMs'>; readonly deadline: Deadline },
  waitMsMax: number,
): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(Math.min(waitMsMax, deadline.endsMs - clock.nowMs()))));
}

/**
 * Gives services `closingReserveMs` more, for a refund or for giving up a claim: both follow the work even
 * where its time is over, and the answer waits for them.
 */
export function addClosingTime<S extends { readonly deadline: Deadline }>(services: S): S {
  const { deadline } = services;
  return { ...services, deadline: { ...deadline, endsMs: deadline.endsMs + closingReserveMs } };
}

/** Parts of a timeout that are waited for one after the other. */
const timeoutParts = 5;

/**
 * Aborts the signal of work after some milliseconds, with an error of this message; the work itself then
 * ends. Each part of the time is waited for by itself: while this process is too busy to wake, an answer may
 * have come that nobody could read. `AbortSignal.timeout` costs twice as much, and its timers outlive the work.
 */
export async function abortAfter<T>(
  clock: Pick<Clock, 'after'>,
  timeoutMs: number,
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let part = 0;
  let cancel = (): void => undefined;
  const wait = () => {
    if (part++ < timeoutParts) cancel = clock.after(timeoutMs / timeoutParts, wait);
    else abort.abort(new DeadlineReached(message));
  };
  wait();
  try {
    return await work(abort.signal);
  } finally {
    cancel();
  }
}

/**
 * Waits for work for some milliseconds, counted by `abortAfter`, then aborts its signal and waits no more.
 * @throws `DeadlineReached`, or the error of the work
 */
export function runWithTimeout<T>(
  { sleep }: Pick<Clock, 'sleep'>,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // The time of a test passes for those who sleep, and not for calls out of the process.
  const after = (delayMs: number, act: () => void) => {
    const pause = new AbortController();
    sleep(delayMs, pause.signal).then(act, () => undefined);
    return () => pause.abort(null); // Without a reason: the one by default is an error with a stack.
  };
  return abortAfter({ after }, timeoutMs, 'The work was not done in time.', (signal) => {
    const expiry = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return Promise.race([work(signal), expiry]);
  });
}

/** Waits for work until a moment (epoch, milliseconds), then aborts it. @throws as `runWithTimeout` */
export function runUntil<T>(
  clock: Pick<Clock, 'sleep' | 'nowMs'>,
  endsMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return runWithTimeout(clock, Math.max(0, endsMs - clock.nowMs()), work);
}
