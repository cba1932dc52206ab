/** Admits requests that may have to wait for an AI image, and refuses them while too many of the account's executions wait. */

import type { Clock, Ids } from '../base/clock';
import type { Telemetry } from '../base/telemetry';
import {
  ampleExecutions,
  executionsKnownForMs,
  newAccountExecutions,
  waitingShare,
} from '../contract/executions';

/** One taken place. */
export interface WaitingPlace {
  readonly number: number;
  /** Names this use of the place, so that it is never given up for another request that has it by now. */
  readonly holder: string;
}

/** The places of requests that wait, shared by all instances. */
export interface WaitingPlaces {
  /**
   * Takes a free place by one conditional write. A place whose time is over is free: an instance that crashed keeps none.
   * @param placesMax how many places there are
   * @param id names the request, unique
   * @param nowMs moment (epoch, milliseconds)
   * @param endsMs moment (epoch, milliseconds) until which the request may wait
   * @returns `undefined` when every place is taken
   * @throws when it is not known whether a place was taken
   */
  take(placesMax: number, id: string, nowMs: number, endsMs: number): Promise<WaitingPlace | undefined>;
  /** Gives a place back; without effect when it is another request's by now. @throws when the table does not answer */
  leave(place: WaitingPlace): Promise<void>;
}

/** The places, and what bounds their number. */
export interface AdmitWaitingDeps {
  readonly places: WaitingPlaces;
  /** Concurrent executions of the account that no function has reserved. @throws when that cannot be read */
  readonly readUnreserved: () => Promise<number>;
  /** The operator's own bound, instead of one that follows from the account's executions. */
  readonly waitingMax: number | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
}

/** What a request that may wait has been granted. */
export interface Admission {
  /** Whether executions are few, so that a request does not wait for a generator that does not start. */
  readonly isBounded: boolean;
  /** Ends the wait. Never throws: a place that cannot be given back is free after its time. */
  leave(): Promise<void>;
}

/**
 * @param endsMs moment (epoch, milliseconds) until which the request may wait
 * @returns `undefined` when as many requests wait as may. Never throws.
 */
export type AdmitWaiting = (endsMs: number) => Promise<Admission | undefined>;

const nothingToLeave = async () => undefined;

/** Admits as many waiting requests as leave a third of the account's executions free. Never throws: a table that fails refuses no request. */
export function createAdmitWaiting(deps: AdmitWaitingDeps): AdmitWaiting {
  const { places, clock, ids, telemetry } = deps;
  const boundNow = createBound(deps);

  return async (endsMs) => {
    const bound = await boundNow();
    if (bound === undefined) return { isBounded: false, leave: nothingToLeave };
    try {
      const place = await places.take(bound, ids.hex(8), clock.nowMs(), endsMs);
      if (!place) return undefined;
      const failed = (error: unknown) => telemetry.error('A waiting place was not given back', error);
      return { isBounded: true, leave: () => places.leave(place).catch(failed) };
    } catch (error) {
      // Without its place counted, the request still ends early when no generator starts for it.
      telemetry.error('A waiting request was not counted', error);
      return { isBounded: true, leave: nothingToLeave };
    }
  };
}

/** How many requests may wait at once; read once by each instance and again when it is old. */
function createBound({ readUnreserved, waitingMax, clock, telemetry }: AdmitWaitingDeps) {
  let cached: { readonly bound: number | undefined; readonly endsMs: number } | undefined;
  return async (): Promise<number | undefined> => {
    if (waitingMax !== undefined) return waitingMax;
    if (cached && cached.endsMs > clock.nowMs()) return cached.bound;
    try {
      const bound = waitingBoundOf(await readUnreserved());
      cached = { bound, endsMs: clock.nowMs() + executionsKnownForMs.read };
    } catch (error) {
      telemetry.error('The executions of the account could not be read', error);
      // What was read before is better than a guess; without it, the account is taken for a new one.
      const bound = cached ? cached.bound : waitingBoundOf(newAccountExecutions);
      cached = { bound, endsMs: clock.nowMs() + executionsKnownForMs.assumed };
    }
    return cached.bound;
  };
}

/**
 * @param unreserved concurrent executions of the account that no function has reserved
 * @returns the most requests that may wait at once; `undefined` where there are executions enough for all
 */
export function waitingBoundOf(unreserved: number): number | undefined {
  if (unreserved >= ampleExecutions) return undefined;
  return Math.max(1, Math.floor(unreserved * waitingShare));
}
