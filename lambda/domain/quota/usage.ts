/** What an account was answered with in a month: counted by day, source and cache outcome, and by key. */

import type { ImageSource } from '../../contract/providers';
import { monthWindow } from './window';

export type UsageSource = ImageSource;
export type CacheOutcome = 'HIT' | 'MISS';

/** How many requests of one day were answered from one source with one cache outcome. */
export interface UsageCount {
  /** Day of the month, UTC, from 1. */
  readonly day: number;
  readonly source: UsageSource;
  readonly cache: CacheOutcome;
  readonly requests: number;
}

/** One month of an account. */
export interface UsageMonth {
  readonly counts: readonly UsageCount[];
  /** Answered requests by key id. */
  readonly byKey: Readonly<Record<string, number>>;
  /** Those among them that cost nothing, by key id; absent without any. */
  readonly freeByKey?: Readonly<Record<string, number>>;
}

/** How long a month's break-down is kept after the month has ended, in months. */
export const usageKeptMonths = 13;

/** Labels (`yyyy-mm`, UTC) of the month that holds a moment and those before it, oldest first. */
export function lastMonths(nowMs: number, count: number): readonly string[] {
  const date = new Date(nowMs);
  return Array.from(
    { length: count },
    (_, i) => monthWindow(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (count - 1 - i))).label,
  );
}
