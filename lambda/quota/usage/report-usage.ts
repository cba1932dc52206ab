/** Reports an account's usage: exact totals for every plan, break-downs for those that have them. */

import { createExpiringCache } from '../../base/expiring-cache';
import { isoSeconds, monthWindow } from '../../base/window';
import { generationBounds, type Plans, usageHistoryMonths } from '../../contract/plans';
import type { AccountId } from '../../credentials/account-id';
import type { KeyRecord } from '../../credentials/api-keys';
import type { KeyedCaller } from '../../credentials/caller';
import type { RateLimitStatus } from '../../problems/problem';
import { fairUseOwner, monthlyGenerationsOf } from '../fair-use';
import { quotaOf, rateLimitStatusOf } from '../quota';
import type { QuotaCounters } from '../quota-counters';
import { daysOfMonth, lastMonths, type UsageHistory, type UsageMonth, type UsageSource } from './usage';
import { keysOfDayMax, type UsageBreakdown, type UsageDocument } from './usage-schema';

/** The numbers of a usage document; which of them are there depends on the plan. */
export interface UsageReport extends Pick<UsageDocument, 'used' | 'breakdown' | 'history'> {
  readonly rateLimit: RateLimitStatus;
  /** AI images of the month, and how many of them have begun. */
  readonly generations: RateLimitStatus & { readonly used: number };
}

interface ReportUsageDeps {
  readonly counters: Pick<QuotaCounters, 'taken'>;
  readonly history: UsageHistory;
  /** All keys of an account. */
  readonly readKeys: (account: AccountId) => Promise<readonly KeyRecord[]>;
  readonly plans: Plans;
}

/** How long a break-down is shown again without another read, in milliseconds; the running month while `used` stays. */
const breakdownKeptMs = 60_000;
const breakdownsKeptMax = 1_000;

/** Charges nothing. @throws when a table does not answer. */
export type ReportUsage = (caller: KeyedCaller, nowMs: number) => Promise<UsageReport>;

const nothing: UsageMonth = { counts: [], byKey: {}, freeByKey: {}, refused: {} };

/** Totals are read for each report, and the running month where they have changed, so that both say the same. */
export function createReportUsage({ counters, history, readKeys, plans }: ReportUsageDeps): ReportUsage {
  const kept = createExpiringCache<Promise<BreakdownSource>>(breakdownsKeptMax);

  const readMonths = (
    account: AccountId,
    labels: readonly string[],
    isByKey: boolean,
    used: number,
    nowMs: number,
  ) => {
    const name = `${account}#${labels.length}#${labels.at(-1)}#${used}#${isByKey}`;
    const cached = kept.get(name, nowMs);
    if (cached) return cached;
    const reading = Promise.all([history.months(account, labels), isByKey ? readKeys(account) : []]).then(
      ([months, keys]) => ({
        months,
        names: new Map(keys.map(({ keyId, name: given }) => [keyId, given])),
      }),
    );
    kept.set(name, reading, nowMs + breakdownKeptMs);
    reading.catch(() => kept.delete(name));
    return reading;
  };

  return async (caller, nowMs) => {
    const { account, kind, plan } = caller;
    const quota = quotaOf(caller, '', plans, nowMs);
    // Test requests are counted in their hour alone.
    const analytics = kind === 'test' ? 'totals' : plans[plan].analytics;
    const { label } = monthWindow(nowMs);
    const isByKey = analytics === 'by-key';
    const past = isByKey ? lastMonths(nowMs, usageHistoryMonths).slice(0, -1) : [];
    const perMonth = kind === 'test' ? generationBounds.testPerMonth : plans[plan].generationsPerMonth;
    const ceiling = monthlyGenerationsOf(fairUseOwner(caller), perMonth, nowMs);
    const [used, generated, before] = await Promise.all([
      counters.taken(quota),
      counters.taken(ceiling),
      past.length > 0 ? readMonths(account, past, false, 0, nowMs) : undefined,
    ]);
    const totals = {
      rateLimit: rateLimitStatusOf(quota, used),
      used,
      generations: { ...rateLimitStatusOf(ceiling, generated), used: generated },
    };
    if (analytics === 'totals') return totals;
    const { months, names } = await readMonths(account, [label], isByKey, used, nowMs);
    const month = months.get(label) ?? nothing;
    const byDay = daysOfMonth(label).flatMap((date) => {
      const day = months.get(date);
      const byKey = day && isByKey && { byKey: keysOf(day, names).slice(0, keysOfDayMax) };
      return day ? [{ date, ...summaryOf(day), ...byKey }] : [];
    });
    const running = { month: label, ...summaryOf(month), byDay };
    if (!isByKey) return { ...totals, breakdown: running };
    const monthOf = (each: string, usage = nothing) => ({
      month: each,
      ...summaryOf(usage),
      byKey: keysOf(usage, names),
    });
    return {
      ...totals,
      breakdown: { ...running, byKey: keysOf(month, names) },
      history: [...past.map((each) => monthOf(each, before?.months.get(each))), monthOf(label, month)],
    };
  };
}

interface BreakdownSource {
  readonly months: ReadonlyMap<string, UsageMonth>;
  /** What the operator called the keys of the account, by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

function summaryOf({ counts, freeByKey, refused }: UsageMonth) {
  const bySource: Partial<Record<UsageSource, number>> = {};
  const byCache = { HIT: 0, MISS: 0 };
  let total = 0;
  for (const { source, cache, requests } of counts) {
    bySource[source] = (bySource[source] ?? 0) + requests;
    byCache[cache] += requests;
    total += requests;
  }
  const free = Object.values(freeByKey).reduce((sum, requests) => sum + requests, 0);
  return { requests: total, free, bySource, byCache, refused };
}

/** The keys of a month, the busiest first. */
function keysOf(
  { byKey, freeByKey }: UsageMonth,
  names: ReadonlyMap<string, string>,
): NonNullable<UsageBreakdown['byKey']> {
  return [...new Set([...Object.keys(byKey), ...Object.keys(freeByKey)])]
    .map((keyId) => {
      const name = names.get(keyId);
      const [requests, free] = [byKey[keyId] ?? 0, freeByKey[keyId] ?? 0];
      return { keyId, ...(name === undefined ? {} : { name }), requests, free };
    })
    .sort((a, b) => b.requests - a.requests || (a.keyId < b.keyId ? -1 : 1));
}

/** Moments are ISO 8601 in UTC, to the second. */
export function usageDocument(
  { account, accountName, plan, kind }: KeyedCaller,
  { rateLimit, used, generations, breakdown, history }: UsageReport,
): UsageDocument {
  const { limit, remaining, window } = rateLimit;
  const [start, end] = [isoSeconds(window.startMs), isoSeconds(window.endMs)];
  return {
    account,
    ...(accountName === undefined ? {} : { accountName }),
    plan,
    mode: kind,
    window: { kind: window.kind === 'month' ? 'month' : 'hour', start, end },
    limit,
    used,
    remaining,
    reset: end,
    generations: {
      limit: generations.limit,
      used: generations.used,
      remaining: generations.remaining,
      reset: isoSeconds(generations.window.endMs),
    },
    ...(breakdown ? { breakdown } : {}),
    ...(history ? { history } : {}),
  };
}
