/** The ledger of answered requests: one item per account and month. */

import type { AccountId } from '../domain/caller/account-id';
import type { UsageThreshold } from '../domain/quota/quota';
import type { CacheOutcome, UsageMonth, UsageSource } from '../domain/quota/usage';

/** One answered request. */
export interface UsageEntry {
  readonly account: AccountId;
  readonly keyId: string;
  readonly source: UsageSource;
  readonly cache: CacheOutcome;
  /** It has cost nothing. */
  readonly isFree?: true;
  /** When it was answered, milliseconds since the epoch. */
  readonly atMs: number;
}

export interface UsageLedger {
  /**
   * Counts one request in one write. A lost answer is not repeated, so nothing is counted twice.
   * @throws when the write failed or its outcome is unknown.
   */
  record(entry: UsageEntry): Promise<void>;
  /**
   * The months of an account that hold anything, by their labels (`yyyy-mm`); eventually consistent.
   * @param labels at most 100
   */
  months(account: AccountId, labels: readonly string[]): Promise<ReadonlyMap<string, UsageMonth>>;
  /**
   * Marks a threshold of a month or a day as announced: true for exactly one `by`, however often it asks.
   * @throws when the outcome is still unknown after the last attempt.
   */
  markAnnounced(owner: string, label: string, percent: UsageThreshold, by: string): Promise<boolean>;
}
