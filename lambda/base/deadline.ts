/**
 * The end of a request, and functions that end work which takes too long. `runUntil` and `runWithTimeout`
 * stop waiting also for work that ignores its signal; `abortAfter` and `signalWithin` are for calls of AWS and
 * of `fetch`, which end by their signals.
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

/** Makes the deadline of a moment (epoch, milliseconds); `Infinity` is for the work of a tool. */
export function createDeadline(endsMs: number): Deadline {
  return { endsMs, silentTables: new Set() };
}

/**
 * Makes the signal of one call to S3, Lambda, a provider or a model. It is aborted after `waitMsMax`
 * milliseconds, or at the end of the request. Calls of DynamoDB end by `abortAfter`.
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

/**
 * Aborts the signal of a call after some milliseconds, with an error of this message; the call then ends by
 * itself. While Lambda has frozen this process, an answer may arrive: it is read in the last turn of the event
 * loop before the abort. `AbortSignal.timeout` costs twice as much, and its timers outlive the call.
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
 * Waits for work for some milliseconds, then aborts its signal and waits no more.
 * @throws `DeadlineReached`, or the error of the work
 */
export async function runWithTimeout<T>(
  clock: Pick<Clock, 'sleep'>,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const pause = new AbortController();
  const expiry = new Promise<never>((_, reject) => {
    const expire = () => {
      abort.abort(new DeadlineReached('The work was not done in time.'));
      reject(abort.signal.reason);
    };
    clock.sleep(timeoutMs, pause.signal).then(expire, () => undefined);
  });
  try {
    return await Promise.race([work(abort.signal), expiry]);
  } finally {
    pause.abort(null); // Without a reason: the one by default is an error with a stack.
  }
}

/** Waits for work until a moment (epoch, milliseconds), else as `runWithTimeout` does. */
export function runUntil<T>(
  clock: Clock,
  endsMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return runWithTimeout(clock, Math.max(0, endsMs - clock.nowMs()), work);
}
