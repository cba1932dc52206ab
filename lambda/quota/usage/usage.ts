/** What an account was answered with, counted by UTC day, key, source and cache outcome, and the store that holds it. */

import { monthWindow } from '../../base/window';
import type { ImageSource } from '../../contract/providers';
import type { AccountId } from '../../credentials/account-id';
import type { ProblemCode } from '../../problems/problem';
import type { UsageThreshold } from '../quota';

/** The source under which an answered request is counted. */
export type UsageSource = ImageSource;
/** The value of `X-Cache`: `MISS` on the one request that caused an upstream request. */
export type CacheOutcome = 'HIT' | 'MISS';

/** How a request was answered. */
export interface UsageOutcome {
  readonly source: UsageSource;
  readonly cache: CacheOutcome;
  /** It has cost nothing. */
  readonly isFree?: true;
}

/** How a request, or an image of a batch, was refused: the code of the problem. */
export interface UsageRefusal {
  readonly refused: ProblemCode;
}

/**
 * Name of the counter of an outcome on one day of one key, such as `n#stock_a#HIT`, or `f#stock_a#HIT` for what cost
 * nothing: sixteen at most, and one for each code of a refusal, such as `r#quota_exceeded`.
 */
export function outcomeName(outcome: UsageOutcome | UsageRefusal): string {
  if ('refused' in outcome) return `r#${outcome.refused}`;
  return `${outcome.isFree ? 'f' : 'n'}#${outcome.source}#${outcome.cache}`;
}

/** Receives how a request will be answered, as soon as its image is known and before it is paid for. */
export interface UsageNote {
  expect(outcome: UsageOutcome): void;
}

/** How many charged requests of one day were answered from one source with one cache outcome. */
export interface UsageCount extends Omit<UsageOutcome, 'isFree'> {
  /** Day of the month, UTC, from 1. */
  readonly day: number;
  readonly requests: number;
}

/** One month of an account, or one day of it. */
export interface UsageMonth {
  readonly counts: readonly UsageCount[];
  /** Charged requests by key id. */
  readonly byKey: Readonly<Record<string, number>>;
  /** Answered requests that cost nothing, by key id. */
  readonly freeByKey: Readonly<Record<string, number>>;
  /** Refused requests by problem code. */
  readonly refused: Readonly<Partial<Record<ProblemCode, number>>>;
}

/** A count that was not written this long after its day has ended is lost, in milliseconds. */
export const usageWrittenWithinMs = 86_400_000;
/** From this long after its end a day is rolled up, in milliseconds: no count of it is under way any more. */
export const usageRolledUpAfterMs = 2 * usageWrittenWithinMs;

/** Labels (`yyyy-mm`, UTC) of the month that holds a moment and those before it, oldest first. */
export function lastMonths(nowMs: number, count: number): readonly string[] {
  const date = new Date(nowMs);
  return Array.from(
    { length: count },
    (_, i) => monthWindow(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (count - 1 - i))).label,
  );
}

/** Labels (`yyyy-mm-dd`) of all days of a month (`yyyy-mm`), in order. */
export function daysOfMonth(label: string): readonly string[] {
  const [year = 0, month = 0] = label.split('-').map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: days }, (_, i) => `${label}-${String(i + 1).padStart(2, '0')}`);
}

/** Answered requests of one key on one day. */
export interface UsageEntry {
  readonly account: AccountId;
  readonly keyId: string;
  /** `yyyy-mm-dd`, UTC. */
  readonly day: string;
  /** Each outcome once; a negative number takes back what was counted for a request that was refused after all. */
  readonly counts: readonly ((UsageOutcome | UsageRefusal) & { readonly requests: number })[];
}

/** Where answered requests are counted. */
export interface UsageStore {
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

/** What was counted, read by month and day. */
export interface UsageHistory {
  /**
   * The months of an account that hold anything, by their labels (`yyyy-mm`), added up from their days, and by theirs
   * (`yyyy-mm-dd`) the days of the last one. What was recorded within the last second for a key's first time on a day may
   * be missing.
   */
  months(account: AccountId, labels: readonly string[]): Promise<ReadonlyMap<string, UsageMonth>>;
}

/** Adds past days up, so that a month stays a few items. */
export interface UsageRollUp {
  /**
   * Adds the keys of each account and day up into one item. Days that are rolled up stay as they are, so it may be
   * repeated, stopped anywhere, and run twice at the same time.
   * @param beforeDay only days before this one (`yyyy-mm-dd`): nothing is recorded for them any more
   * @returns how many days of accounts were finished
   */
  rollUp(beforeDay: string): Promise<number>;
}
