/** Reports an account's usage: exact totals for every plan, break-downs for those that have them. */

import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, read, type TableServices } from '../../aws/dynamodb';
import type { ExpiringCache } from '../../base/expiring-cache';
import { hourWindow, isoSeconds, monthWindow } from '../../base/window';
import { type Plans, unlimitedCounterShards, usageHistoryMonths } from '../../contract/plans';
import type { ImageSource } from '../../contract/providers';
import type { AccountId, KeyedCaller } from '../../credentials/caller';
import type { KeyRecord } from '../../credentials/key-store';
import type { RateLimitStatus } from '../../problems/problem';
import { generationMonthOf, requestLimitsOf } from '../caller-limits';
import { statedLimit } from '../charge';
import { rateLimitStatusOf } from '../limit';
import { usedOf } from '../take';
import { sumOf, type UsageOutcome, type UsageSums, usageKey } from './usage';
import { keysOfDayMax, type UsageBreakdown, type UsageDocument } from './usage-schema';

/** The services of a report of usage. */
export interface ReportServices extends TableServices<'quotaCounters'> {
  /** The credentials of an account, for their names. */
  readonly readKeys: (account: AccountId) => Promise<readonly KeyRecord[]>;
  readonly plans: Plans;
  /** Past months of accounts, as this process remembers them to the end of the hour. */
  readonly pastMonths: ExpiringCache<Promise<readonly UsageSums[]>>;
}

/**
 * Makes the answer of `/api/usage`, and the rate limit status for its headers. Charges nothing. Totals and
 * the running month are read for each report, so that both agree.
 * @throws when a table does not answer
 */
export async function reportUsage(
  services: ReportServices,
  caller: KeyedCaller,
  nowMs: number,
): Promise<{ readonly document: UsageDocument; readonly rateLimit: RateLimitStatus }> {
  const { plans, readKeys } = services;
  const { account, accountName, kind, plan } = caller;
  const quota = statedLimit(requestLimitsOf(caller, '', plans, nowMs));
  const ceiling = generationMonthOf(caller, plans, nowMs);
  // Test requests are counted in their hour alone.
  const analytics = kind === 'test' ? 'totals' : plans[plan].analytics;
  const isByKey = analytics === 'by-key';
  const { label: month } = monthWindow(nowMs);
  const past = isByKey ? lastMonths(nowMs, usageHistoryMonths).slice(0, -1) : [];
  const [used, generated, days, pastSums, keys] = await Promise.all([
    usedOf(services, quota),
    usedOf(services, ceiling),
    analytics === 'totals' ? undefined : usageOfDays(services, account, daysOfMonth(month)),
    isByKey ? usageOfMonths(services, account, past, nowMs) : [],
    isByKey ? readKeys(account) : [],
  ]);
  const rateLimit = rateLimitStatusOf(quota, used);
  const images = rateLimitStatusOf(ceiling, generated);
  const names = new Map(keys.map(({ keyId, name }) => [keyId, name]));
  const summary = (sums: UsageSums, keysMax?: number) => ({
    ...summaryOf(sums),
    ...(isByKey && { byKey: keysOf(sums, names).slice(0, keysMax) }),
  });
  const running = sumOf([...(days ?? new Map<string, UsageSums>()).values()]);
  const byDay = [...(days ?? [])].map(([date, sums]) => ({ date, ...summary(sums, keysOfDayMax) }));
  const history = [...pastSums, running].map((sums, i) => ({
    month: past[i] ?? month,
    ...summaryOf(sums),
    byKey: keysOf(sums, names),
  }));
  const { limit, remaining, window } = rateLimit;
  const [start, reset] = [isoSeconds(window.startMs), isoSeconds(window.endsMs)];
  const document: UsageDocument = {
    account,
    ...(accountName !== undefined && { accountName }),
    plan,
    mode: kind,
    window: { kind: window.kind === 'month' ? 'month' : 'hour', start, end: reset },
    ...{ limit, used, remaining, reset },
    generations: {
      ...{ limit: images.limit, used: generated, remaining: images.remaining },
      reset: isoSeconds(images.window.endsMs),
    },
    ...(days && { breakdown: { month, ...summary(running), byDay } }),
    ...(isByKey && { history }),
  };
  return { document, rateLimit };
}

/** Reads what an account has used in each of some past months (`yyyy-mm`). */
async function usageOfMonths(
  services: ReportServices,
  account: AccountId,
  months: readonly string[],
  nowMs: number,
): Promise<readonly UsageSums[]> {
  const { pastMonths } = services;
  const name = `${account}#${months.at(-1)}`;
  const known = pastMonths.get(name, nowMs);
  if (known) return known;
  const reading = usageOfDays(services, account, months.flatMap(daysOfMonth)).then((days) =>
    months.map((month) => sumOf([...days].flatMap(([day, sums]) => (day.startsWith(month) ? [sums] : [])))),
  );
  pastMonths.set(name, reading, hourWindow(nowMs).endsMs);
  reading.catch(() => pastMonths.delete(name));
  return reading;
}

/**
 * Reads what an account has used on some days (`yyyy-mm-dd`), in order, without the days on which it used
 * nothing. All items of a day are read: the account may have had another plan then.
 * @throws as `read`
 */
export async function usageOfDays(
  services: TableServices<'quotaCounters'>,
  account: AccountId,
  days: readonly string[],
): Promise<ReadonlyMap<string, UsageSums>> {
  const items = await readItems(
    services,
    days.flatMap((day) => usageKeysOf(account, day)),
  );
  const sums = days.map((day) => {
    const parts = usageKeysOf(account, day).map((key) => items.get(key) ?? {});
    return [day, sumOf(parts.map(countsIn))] as const;
  });
  return new Map(sums.filter(([, counts]) => Object.keys(counts).length > 0));
}

/** The keys of all items that may hold an account's day. */
function usageKeysOf(account: AccountId, day: string): readonly string[] {
  return Array.from({ length: unlimitedCounterShards }, (_, shard) => usageKey(account, day, shard));
}

/** DynamoDB's limit for one batch. */
const batchMax = 100;

/** Reads the items of the table of counters that exist, by key, strongly consistent. @throws as `read` */
async function readItems(
  services: TableServices<'quotaCounters'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const { quotaCounters } = services.tables;
  const items = new Map<string, Item>();
  const readBatch = async (from: number) => {
    let Keys: Record<string, unknown>[] = keys.slice(from, from + batchMax).map((pk) => ({ pk }));
    while (Keys.length > 0) {
      const RequestItems = { [quotaCounters]: { Keys, ConsistentRead: true } };
      const page = await read(services, new BatchGetCommand({ RequestItems }));
      for (const item of page.Responses?.[quotaCounters] ?? []) items.set(String(item['pk']), item);
      Keys = page.UnprocessedKeys?.[quotaCounters]?.Keys ?? [];
    }
  };
  const batches = Array.from({ length: Math.ceil(keys.length / batchMax) }, (_, i) =>
    readBatch(i * batchMax),
  );
  await Promise.all(batches);
  return items;
}

function countsIn(item: Item): UsageSums {
  const { pk: _, ttl: __, ...counts } = item;
  return counts as UsageSums;
}

function summaryOf(sums: UsageSums) {
  const bySource: Partial<Record<ImageSource, number>> = {};
  const byCache = { HIT: 0, MISS: 0 };
  const refused: Record<string, number> = {};
  let [requests, free] = [0, 0];
  for (const [name, count] of Object.entries(sums)) {
    const [kind, key, cache] = name.split('#') as [string, string, UsageOutcome['cache']];
    if (kind === 'f') free += count;
    if (kind === 'r') refused[key] = count;
    if (kind !== 'n') continue;
    bySource[key as ImageSource] = (bySource[key as ImageSource] ?? 0) + count;
    byCache[cache] += count;
    requests += count;
  }
  return { requests, free, bySource, byCache, refused };
}

/** The keys of a day or month, the busiest first. */
function keysOf(sums: UsageSums, names: ReadonlyMap<string, string>): NonNullable<UsageBreakdown['byKey']> {
  const ids = Object.keys(sums).flatMap((name) => (/^[kf]#/.test(name) ? [name.slice(2)] : []));
  return [...new Set(ids)]
    .map((keyId) => {
      const name = names.get(keyId);
      const [requests, free] = [sums[`k#${keyId}`] ?? 0, sums[`f#${keyId}`] ?? 0];
      return { keyId, ...(name === undefined ? {} : { name }), requests, free };
    })
    .sort((a, b) => b.requests - a.requests || (a.keyId < b.keyId ? -1 : 1));
}

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
