/** Sums up a month of an account by day, source, cache outcome and key. */

import type { CacheOutcome, UsageCount, UsageMonth, UsageSource } from './usage';

/** Answered requests, the free ones included, so it may be more than was charged. */
export interface Summary {
  readonly requests: number;
  readonly bySource: Readonly<Partial<Record<UsageSource, number>>>;
  readonly byCache: Readonly<Record<CacheOutcome, number>>;
}

export interface DaySummary extends Summary {
  /** `yyyy-mm-dd`, UTC. */
  readonly date: string;
}

export interface KeySummary {
  readonly keyId: string;
  /** What the operator called the key; absent for one that is no longer listed. */
  readonly name?: string;
  readonly requests: number;
  /** Those among them that cost nothing, such as images that were paid on the same day. */
  readonly free: number;
}

/** The sums of some counts. */
export function summaryOf(counts: readonly UsageCount[]): Summary {
  const bySource: Partial<Record<UsageSource, number>> = {};
  const byCache = { HIT: 0, MISS: 0 };
  let total = 0;
  for (const { source, cache, requests } of counts) {
    bySource[source] = (bySource[source] ?? 0) + requests;
    byCache[cache] += requests;
    total += requests;
  }
  return { requests: total, bySource, byCache };
}

/** The days of a month on which anything was answered, in order. */
export function daysOf(label: string, { counts }: UsageMonth): readonly DaySummary[] {
  const days = [...new Set(counts.map(({ day }) => day))].sort((a, b) => a - b);
  return days.map((day) => ({
    date: `${label}-${String(day).padStart(2, '0')}`,
    ...summaryOf(counts.filter((count) => count.day === day)),
  }));
}

/** The keys of a month, the busiest first. */
export function keysOf(
  { byKey, freeByKey = {} }: UsageMonth,
  names: ReadonlyMap<string, string>,
): readonly KeySummary[] {
  return Object.entries(byKey)
    .map(([keyId, requests]) => {
      const name = names.get(keyId);
      return { keyId, ...(name === undefined ? {} : { name }), requests, free: freeByKey[keyId] ?? 0 };
    })
    .sort((a, b) => b.requests - a.requests || (a.keyId < b.keyId ? -1 : 1));
}
