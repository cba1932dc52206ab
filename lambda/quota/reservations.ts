/** The places and units that pending generations hold: reserved before, committed or refunded after, each exactly once. */

import { timeOfUlid } from '../base/ulid';
import type { Limit } from './quota';

/** How many units one image costs. */
export const imageCost = 1;

/** How many places an image holds among those that its account may generate at once, whatever it costs. */
export const placesHeld = 1;

/** A settled entry stays this long, in milliseconds, so that late messages about it find it; then it may be pruned. */
const tombstoneMs = 60_000;

/** An operation of an item of reservations: one execution of one generation, reserved once and settled once. */
export interface Operation {
  /** Key of the item of reservations, fixed when the operation began: never that of a later month. */
  readonly quotaKey: string;
  /** The execution's ULID, which is the charge's id too. */
  readonly execution: string;
  /** `imageCost`, or 0 for a free variation, which only holds its place. */
  readonly cost: number;
}

/** What a reservation has to respect. */
export interface ReservationLimits {
  readonly quota: Limit;
  /** Places that may be held at the same time. */
  readonly heldMax: number;
}

/** An operation that is reserved and not settled, as the sweeper finds it. */
export interface PendingOperation extends Operation {
  /** Public name of the generation that the execution makes, by which its item is found. */
  readonly imageId: string;
  /** Moment (epoch, milliseconds) from which it may be looked into. */
  readonly dueMs: number;
}

/** Whether a settled entry may be removed: old enough by the time in its own id. */
export function isPrunable(execution: string, nowMs: number): boolean {
  return timeOfUlid(execution) <= nowMs - tombstoneMs;
}

/** What became of the request for a place, and for the unit that it costs. */
export type Reservation =
  /** Held, by this call or an earlier copy of it. */
  | {
      readonly outcome: 'reserved';
      /** Settled entries old enough to be removed by the settling write. */
      readonly prunable: readonly string[];
      /** Other operations of the item whose time is over: they are to be swept. */
      readonly overdue: readonly PendingOperation[];
      /** Units that the account has taken after the reservation; without a limit those of its generations alone. */
      readonly taken: number;
    }
  | { readonly outcome: 'quota_exceeded' }
  | { readonly outcome: 'too_many_generations' }
  /** An item takes no more writes now. An earlier attempt may have been applied: the sweeper gives it back. */
  | { readonly outcome: 'throttled' }
  /** The id was used up before (given back, or below the watermark): begin again with a new one. */
  | { readonly outcome: 'stale' };

/** `broken`: the books contradict the protocol; an alarm was raised. */
export type Settlement = 'settled' | 'broken';

/**
 * Every method may be repeated with the same arguments without harm, and repeats its own writes after a lost answer. A
 * repeated reservation may take a unit too many until the item is closed.
 * All throw when the outcome is still unknown after the last attempt; the sweeper finishes such an operation.
 */
export interface Charges {
  reserve(operation: PendingOperation, limits: ReservationLimits): Promise<Reservation>;
  /** Held becomes spent. Only after the image is durable. */
  commit(operation: Operation, prunable: readonly string[]): Promise<Settlement>;
  /** Held becomes free. Only after the execution can no longer finish. The unit is back at once, or by `close`. */
  refund(operation: Operation, prunable: readonly string[]): Promise<Settlement>;
  /**
   * Gives back the units that no operation of an item owns. Where none is pending, and none has begun within a minute, the
   * item is due no longer.
   */
  close(quotaKey: string): Promise<void>;
  /** Operations of one item of reservations that are not settled. */
  pendingOf(quotaKey: string): Promise<readonly PendingOperation[]>;
  /** Keys of all items of reservations that are due by a moment (epoch, milliseconds). */
  itemsDue(byMs: number): AsyncIterable<string>;
}
