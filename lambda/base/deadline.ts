/**
 * Ends work at the deadline of its request. `abortAfter` and `createSignal` are for calls that obey a signal.
 * `runUntil` also stops waiting for work that ignores its signal.
 */

import { closingReserveMs } from '../contract/timeouts';
import type { Clock } from './clock';
import { Outage } from './outage';

/** The error of work that took too long. */
export class DeadlineReached extends Outage {
  override readonly name = 'DeadlineReached';
}

/** The end of one request. Every call out of the process ends by then. */
export interface Deadline {
  /** The moment when the work must have ended. */
  readonly endsMs: number;
  /** Names of tables that have not answered this request. The request does not read them again. */
  readonly silentTables: Set<string>;
}

/** The services of a call out of the process. */
export interface TimedServices {
  readonly clock: Clock;
  readonly deadline: Deadline;
}

/** Creates a deadline at a moment. Command line tools take `Infinity`. */
export function createDeadline(endsMs: number): Deadline {
  return { endsMs, silentTables: new Set() };
}

/** Creates the signal of one call. It is aborted after `waitMsMax` or at the end of the request. */
export function createSignal(
  { clock, deadline }: { readonly clock: Pick<Clock, 'nowMs'>; readonly deadline: Deadline },
  waitMsMax: number,
): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(Math.min(waitMsMax, deadline.endsMs - clock.nowMs()))));
}

/** Adds `closingReserveMs` to the deadline, for a refund or the end of a claim after the work. */
export function addClosingTime<S extends { readonly deadline: Deadline }>(services: S): S {
  const { deadline } = services;
  return { ...services, deadline: { ...deadline, endsMs: deadline.endsMs + closingReserveMs } };
}

/**
 * Aborts the signal of a call after some milliseconds, with an error of this message. The answer may have
 * arrived while Lambda had frozen this process: one more turn of the event loop reads it before the abort.
 */
export async function abortAfter<T>(
  timeoutMs: number,
  message: string,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let lastTurn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    lastTurn = setImmediate(() => abort.abort(new DeadlineReached(message)));
  }, timeoutMs);
  try {
    return await call(abort.signal);
  } finally {
    clearTimeout(timer);
    clearImmediate(lastTurn);
  }
}

/**
 * Waits for work until a moment, then aborts its signal and waits no more.
 * @throws `DeadlineReached`, or the error of the work
 */
export async function runUntil<T>(
  clock: Clock,
  endsMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const pause = new AbortController();
  const expiry = new Promise<never>((_, reject) => {
    const expire = () => {
      abort.abort(new DeadlineReached('The work was not done in time.'));
      reject(abort.signal.reason);
    };
    clock.sleep(Math.max(0, endsMs - clock.nowMs()), pause.signal).then(expire, () => undefined);
  });
  try {
    return await Promise.race([work(abort.signal), expiry]);
  } finally {
    pause.abort();
  }
}
