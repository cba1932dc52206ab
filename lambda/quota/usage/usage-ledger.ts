/** The ledger of answered requests: one item per account, UTC day and key, and one per day once it is rolled up. */

import type { AccountId } from '../../credentials/account-id';
import type { UsageThreshold } from '../quota';
import type { UsageMonth, UsageOutcome } from './usage';

/** Answered requests of one key on one day. */
export interface UsageEntry {
  readonly account: AccountId;
  readonly keyId: string;
  /** `yyyy-mm-dd`, UTC. */
  readonly day: string;
  /** Each outcome once; a negative number takes back what was counted for a request that was refused after all. */
  readonly counts: readonly (UsageOutcome & { readonly requests: number })[];
}

export interface UsageLedger {
  /**
   * Adds to the item of the account, the day and the key in one write. A lost answer is not repeated, so nothing is
   * counted twice.
   * @throws when the write failed or its outcome is unknown.
   */
  record(entry: UsageEntry): Promise<void>;
}

/** Marks beside the usage of an account, so that a threshold is announced once. */
export interface UsageMarks {
  /**
   * Marks a threshold of a month or a day as announced: true for exactly one `by`, however often it asks.
   * @throws when the outcome is still unknown after the last attempt.
   */
  markAnnounced(owner: string, label: string, percent: UsageThreshold, by: string): Promise<boolean>;
}

export interface UsageHistory {
  /**
   * The months of an account that hold anything, by their labels (`yyyy-mm`), added up from their days. What was recorded
   * within the last second for a key's first time on a day may be missing.
   */
  months(account: AccountId, labels: readonly string[]): Promise<ReadonlyMap<string, UsageMonth>>;
}

export interface UsageRollUp {
  /**
   * Adds the keys of each account and day up into one item. Days that are rolled up stay as they are, so it may be
   * repeated, stopped anywhere, and run twice at the same time.
   * @param beforeDay only days before this one (`yyyy-mm-dd`): nothing is recorded for them any more
   * @returns how many days of accounts were finished
   */
  rollUp(beforeDay: string): Promise<number>;
}
