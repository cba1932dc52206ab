/** The counters that ordinary requests are charged to. */

import type { Limit } from './quota';

/** What a charge did. Never a guess: an outcome that is not known is called `unknown`. */
export type CounterCharge =
  /** Charged. `taken` is what the counter holds after it; of one without a limit, what the charged part of it holds. */
  | { readonly outcome: 'charged'; readonly taken: number }
  /** The limit is reached and nothing was charged. */
  | { readonly outcome: 'exhausted' }
  /** The counter takes no more writes now, after the last attempt: not charged. The window of an IP address may have counted it. */
  | { readonly outcome: 'throttled' }
  /** The answer was lost: it may or may not have been charged, so it counts as not charged and is never refunded. */
  | { readonly outcome: 'unknown' };

/** The items that hold what was taken from limits. */
export interface QuotaCounters {
  /**
   * Takes one unit in one conditional write. Sent again only after an answer that proves it was not applied
   * (throttling), a fixed number of times.
   * @param requestId distinguishes requests in the window of an IP address, where a repeated id is counted once; without
   * a limit it names the part of the counter that is charged
   * @throws when the table refuses for another reason: not charged.
   */
  charge(quota: Limit, requestId: string): Promise<CounterCharge>;
  /**
   * Gives back the unit of one `charged` charged to the very item it was taken from, in one write sent once. A lost
   * answer is not repeated.
   * @throws when the write failed or its outcome is unknown.
   */
  refund(quota: Limit, requestId: string): Promise<void>;
  /** Units taken so far, of a counter without a limit the sum of its parts, read with strong consistency; 0 for a counter that does not exist yet. */
  taken(quota: Limit): Promise<number>;
}
