/** Reports an account's usage: exact totals for every plan, break-downs for those that have them. */

import { monthWindow } from '../../base/window';
import { type Plans, usageHistoryMonths } from '../../contract/plans';
import type { ApiKeyRegister } from '../../credentials/api-keys';
import type { KeyedCaller } from '../../credentials/caller';
import type { RateLimitStatus } from '../../problems/problem';
import { fairUseOwner, monthlyGenerationsOf } from '../fair-use';
import { allowanceOf, rateLimitStatusOf } from '../quota';
import type { QuotaCounters } from '../quota-counters';
import { type DaySummary, daysOf, type KeySummary, keysOf, type Summary, summaryOf } from './break-down';
import { lastMonths, type UsageMonth } from './usage';
import type { UsageHistory } from './usage-ledger';

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

export interface ReportUsageDeps {
  readonly counters: Pick<QuotaCounters, 'taken'>;
  readonly ledger: UsageHistory;
  readonly apiKeys: Pick<ApiKeyRegister, 'ofAccount'>;
  readonly plans: Plans;
}

/** Charges nothing. @throws when a table does not answer. */
export type ReportUsage = (caller: KeyedCaller, nowMs: number) => Promise<UsageReport>;

const nothing: UsageMonth = { counts: [], byKey: {} };

export function createReportUsage({ counters, ledger, apiKeys, plans }: ReportUsageDeps): ReportUsage {
  return async (caller, nowMs) => {
    const allowance = allowanceOf(caller, '', plans, nowMs);
    // Test requests are counted in their hour alone.
    const analytics = caller.kind === 'test' ? 'totals' : plans[caller.plan].analytics;
    const { label } = monthWindow(nowMs);
    const labels = analytics === 'by-key' ? lastMonths(nowMs, usageHistoryMonths) : [label];
    const { generationsPerMonth } = plans[caller.plan];
    const ceiling = monthlyGenerationsOf(fairUseOwner(caller), generationsPerMonth, nowMs);
    const [used, generated, months, keys] = await Promise.all([
      counters.taken(allowance),
      caller.kind === 'test' ? undefined : counters.taken(ceiling),
      analytics === 'totals' ? new Map<string, UsageMonth>() : ledger.months(caller.account, labels),
      analytics === 'by-key' ? apiKeys.ofAccount(caller.account) : [],
    ]);
    const totals = {
      rateLimit: rateLimitStatusOf(allowance, used),
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
