/** Reports an account's usage: exact totals for every plan, break-downs for those that have them. */

import { isoSeconds, monthWindow } from '../../base/window';
import { type Plans, usageHistoryMonths } from '../../contract/plans';
import type { ApiKeyRegister } from '../../credentials/api-keys';
import type { KeyedCaller } from '../../credentials/caller';
import type { RateLimitStatus } from '../../problems/problem';
import { fairUseOwner, monthlyGenerationsOf } from '../fair-use';
import { quotaOf, rateLimitStatusOf } from '../quota';
import type { QuotaCounters } from '../quota-counters';
import {
  type CacheOutcome,
  lastMonths,
  type UsageCount,
  type UsageHistory,
  type UsageMonth,
  type UsageSource,
} from './usage';

/** One month in the history. */
interface MonthReport extends Summary {
  /** `yyyy-mm`, UTC. */
  readonly month: string;
  readonly byKey: readonly KeySummary[];
}

export interface UsageReport {
  readonly rateLimit: RateLimitStatus;
  /** Units taken in the window, exact. */
  readonly used: number;
  /** Images generated for the account in the month, free variations included; for live keys. */
  readonly generations?: { readonly limit: number; readonly used: number };
  /** The running month; for plans from `by-day` up. */
  readonly breakdown?: Summary & {
    readonly month: string;
    readonly byDay: readonly DaySummary[];
    /** For plans `by-key`. */
    readonly byKey?: readonly KeySummary[];
  };
  /** Oldest first, the running month last; for plans `by-key`. */
  readonly history?: readonly MonthReport[];
}

interface ReportUsageDeps {
  readonly counters: Pick<QuotaCounters, 'taken'>;
  readonly history: UsageHistory;
  readonly apiKeys: Pick<ApiKeyRegister, 'ofAccount'>;
  readonly plans: Plans;
}

/** Charges nothing. @throws when a table does not answer. */
export type ReportUsage = (caller: KeyedCaller, nowMs: number) => Promise<UsageReport>;

const nothing: UsageMonth = { counts: [], byKey: {} };

export function createReportUsage({ counters, history, apiKeys, plans }: ReportUsageDeps): ReportUsage {
  return async (caller, nowMs) => {
    const quota = quotaOf(caller, '', plans, nowMs);
    // Test requests are counted in their hour alone.
    const analytics = caller.kind === 'test' ? 'totals' : plans[caller.plan].analytics;
    const { label } = monthWindow(nowMs);
    const labels = analytics === 'by-key' ? lastMonths(nowMs, usageHistoryMonths) : [label];
    const { generationsPerMonth } = plans[caller.plan];
    const ceiling = monthlyGenerationsOf(fairUseOwner(caller), generationsPerMonth, nowMs);
    const [used, generated, months, keys] = await Promise.all([
      counters.taken(quota),
      caller.kind === 'test' ? undefined : counters.taken(ceiling),
      analytics === 'totals' ? new Map<string, UsageMonth>() : history.months(caller.account, labels),
      analytics === 'by-key' ? apiKeys.ofAccount(caller.account) : [],
    ]);
    const totals = {
      rateLimit: rateLimitStatusOf(quota, used),
      used,
      ...(generated === undefined ? {} : { generations: { limit: generationsPerMonth, used: generated } }),
    };
    if (analytics === 'totals') return totals;
    const month = months.get(label) ?? nothing;
    const running = { month: label, ...summaryOf(month.counts), byDay: daysOf(label, month) };
    if (analytics === 'by-day') return { ...totals, breakdown: running };

    const names = new Map(keys.map(({ keyId, name }) => [keyId, name]));
    return {
      ...totals,
      breakdown: { ...running, byKey: keysOf(month, names) },
      history: labels.map((each) => {
        const past = months.get(each) ?? nothing;
        return { month: each, ...summaryOf(past.counts), byKey: keysOf(past, names) };
      }),
    };
  };
}

/** Answered requests, the free ones included, so it may be more than was charged. */
interface Summary {
  readonly requests: number;
  readonly bySource: Readonly<Partial<Record<UsageSource, number>>>;
  readonly byCache: Readonly<Record<CacheOutcome, number>>;
}

interface DaySummary extends Summary {
  /** `yyyy-mm-dd`, UTC. */
  readonly date: string;
}

interface KeySummary {
  readonly keyId: string;
  /** What the operator called the key; absent for one that is no longer listed. */
  readonly name?: string;
  readonly requests: number;
  /** Those among them that cost nothing, such as images that were paid on the same day. */
  readonly free: number;
}

/** The sums of some counts. */
function summaryOf(counts: readonly UsageCount[]): Summary {
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
function daysOf(label: string, { counts }: UsageMonth): readonly DaySummary[] {
  const days = [...new Set(counts.map(({ day }) => day))].sort((a, b) => a - b);
  return days.map((day) => ({
    date: `${label}-${String(day).padStart(2, '0')}`,
    ...summaryOf(counts.filter((count) => count.day === day)),
  }));
}

/** The keys of a month, the busiest first. */
function keysOf(
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

/** Moments are ISO 8601 in UTC, to the second. */
export function usageRecord(
  { account, accountName, plan, kind }: KeyedCaller,
  { rateLimit, used, generations, breakdown, history }: UsageReport,
) {
  const { limit, remaining, window } = rateLimit;
  const [start, end] = [isoSeconds(window.startMs), isoSeconds(window.endMs)];
  return {
    account,
    ...(accountName === undefined ? {} : { accountName }),
    plan,
    mode: kind,
    window: { kind: window.kind, start, end },
    limit,
    used,
    remaining,
    reset: end,
    ...(generations ? { generations } : {}),
    ...(breakdown ? { breakdown } : {}),
    ...(history ? { history } : {}),
  };
}
