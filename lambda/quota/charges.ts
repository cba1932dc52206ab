/** The places and units that pending generations hold: reserved before, committed or refunded after, each exactly once. */

import type { Operation, PendingOperation, ReservationLimits } from './charge';

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
