/** Reports an account's usage: exact totals for every plan, and details for some plans. */

import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, readTable, type TableServices } from '../../aws/dynamodb';
import { dropUndefined } from '../../base/drop-undefined';
import type { ExpiringCache } from '../../base/expiring-cache';
import { Outage } from '../../base/outage';
import { createPauses } from '../../base/retry';
import {
  computeDayWindow,
  computeHourWindow,
  computeMonthWindow,
  dayMs,
  formatIsoSeconds,
  listDaysOfMonth,
} from '../../base/window';
import { type Plans, unlimitedCounterShards, usageHistoryMonths } from '../../contract/plans';
import type { ImageSource } from '../../contract/providers';
import type { AccountId, KeyedCaller } from '../../credentials/caller';
import type { StoredKey } from '../../credentials/key-store';
import type { RateLimitStatus } from '../../problems/problem';
import { getQuotaLimit, listRequestLimits, makeGenerationMonthLimit } from '../caller-limits';
import { computeRateLimitStatus } from '../limit';
import { readUsedUnits } from '../take';
import { addUsageSums, makeUsageKey, type UsageOutcome, type UsageSums } from './usage';
import { keysOfDayMax, type UsageBreakdown, type UsageDocument } from './usage-schema';

export interface ReportServices extends TableServices<'quotaCounters'> {
  readonly readKeys: (account: AccountId) => Promise<readonly StoredKey[]>;
  readonly plans: Plans;
  /** Past months of accounts, as this instance remembers them to the end of the hour. */
  readonly pastMonths: ExpiringCache<Promise<readonly UsageSums[]>>;
}

/**
 * Reports the usage of an account: the answer of `/api/usage`, and the rate limit status for its headers.
 * Totals and the running month are read each time, so that both agree.
 * @throws when a table does not answer
 */
export async function reportUsage(
  services: ReportServices,
  caller: KeyedCaller,
  nowMs: number,
): Promise<{ readonly document: UsageDocument; readonly rateLimit: RateLimitStatus }> {
  const { plans } = services;
  const { account, accountName, kind: mode, plan } = caller;
  const quota = getQuotaLimit(listRequestLimits(caller, '', plans, nowMs));
  const generations = makeGenerationMonthLimit(caller, plans, nowMs);
  const [used, generationsUsed, analytics] = await Promise.all([
    readUsedUnits(services, quota),
    readUsedUnits(services, generations),
    readAnalytics(services, caller, nowMs),
  ]);
  const rateLimit = computeRateLimitStatus(quota, used);
  const { kind, startMs, endsMs } = rateLimit.window;
  const document: UsageDocument = {
    account,
    ...(accountName !== undefined && { accountName }),
    plan,
    mode,
    window: {
      kind: kind === 'month' ? kind : 'hour',
      start: formatIsoSeconds(startMs),
      end: formatIsoSeconds(endsMs),
    },
    ...makeTotals(rateLimit, used),
    generations: makeTotals(computeRateLimitStatus(generations, generationsUsed), generationsUsed),
    ...analytics,
  };
  return { document, rateLimit };
}

function makeTotals({ limit, remaining, window }: RateLimitStatus, used: number) {
  return { limit, used, remaining, reset: formatIsoSeconds(window.endsMs) };
}

/** Reads what the plan adds to the totals: usage by day, and by key and month. Test requests are counted in their hour alone. */
async function readAnalytics(
  services: ReportServices,
  { account, kind, plan }: KeyedCaller,
  nowMs: number,
): Promise<Pick<UsageDocument, 'breakdown' | 'history'>> {
  const { analytics } = services.plans[plan];
  if (kind === 'test' || analytics === 'totals') return {};
  const { label: month } = computeMonthWindow(nowMs);
  const readingDays = readDays(services, account, listDaysOfMonth(month));
  if (analytics !== 'by-key') return { breakdown: makeBreakdown(month, await readingDays) };
  const months = listLastMonths(nowMs, usageHistoryMonths);
  const [days, pastSums, keys] = await Promise.all([
    readingDays,
    readMonths(services, account, months.slice(0, -1), nowMs),
    services.readKeys(account),
  ]);
  const names = new Map(keys.map(({ keyId, name }) => [keyId, name]));
  const history = [...pastSums, addUsageSums([...days.values()])].map((sums, i) => ({
    month: months[i] ?? month,
    ...summariseUsage(sums),
    byKey: listUsageByKey(sums, names),
  }));
  return { breakdown: makeBreakdown(month, days, names), history };
}

/** Names of credentials by their ids. */
type KeyNames = ReadonlyMap<string, string>;

/** Breaks the running month down by day. @param names absent on a plan without usage by key */
function makeBreakdown(
  month: string,
  days: ReadonlyMap<string, UsageSums>,
  names?: KeyNames,
): UsageBreakdown {
  const byDay = [...days].map(([date, sums]) => ({ date, ...summariseUsage(sums, names, keysOfDayMax) }));
  return { month, ...summariseUsage(addUsageSums([...days.values()]), names), byDay };
}

/** Reads past months (`yyyy-mm`) of an account, at most once an hour. */
async function readMonths(
  services: ReportServices,
  account: AccountId,
  months: readonly string[],
  nowMs: number,
): Promise<readonly UsageSums[]> {
  const { pastMonths } = services;
  const name = `${account}#${months.at(-1)}`;
  const rememberedSums = pastMonths.get(name, nowMs);
  if (rememberedSums) return rememberedSums;
  const reading = readDays(services, account, months.flatMap(listDaysOfMonth)).then((days) =>
    months.map((month) =>
      addUsageSums([...days].flatMap(([day, sums]) => (day.startsWith(month) ? [sums] : []))),
    ),
  );
  pastMonths.set(name, reading, computeHourWindow(nowMs).endsMs);
  reading.catch(() => pastMonths.delete(name));
  return reading;
}

/**
 * Reads an account's days (`yyyy-mm-dd`) in order, without days of no use. All items of a day are read, because
 * the account may have had another plan then.
 * @throws as `readTable`
 */
async function readDays(
  services: TableServices<'quotaCounters'>,
  account: AccountId,
  days: readonly string[],
): Promise<ReadonlyMap<string, UsageSums>> {
  const shards = [...Array(unlimitedCounterShards).keys()];
  const keys = days.flatMap((day) => shards.map((shard) => makeUsageKey(account, day, shard)));
  const reads = Array.from({ length: Math.ceil(keys.length / itemsPerReadMax) }, (_, i) =>
    readItems(services, keys.slice(i * itemsPerReadMax, (i + 1) * itemsPerReadMax)),
  );
  const items = (await Promise.all(reads)).flat();
  const removeKeyAndExpiry = ({ pk: _, ttl: __, ...counts }: Item) => counts as UsageSums;
  const sums = days.map((day) => {
    const prefix = makeUsageKey(account, day, 0);
    return [
      day,
      addUsageSums(items.filter(({ pk }) => String(pk).startsWith(prefix)).map(removeKeyAndExpiry)),
    ] as const;
  });
  return new Map(sums.filter(([, counts]) => Object.keys(counts).length > 0));
}

/** Reads the last day of use (`yyyy-mm-dd`) of an account's credentials by their ids, within 31 days. */
export async function readLastUses(
  services: TableServices<'quotaCounters'>,
  account: AccountId,
): Promise<ReadonlyMap<string, string>> {
  const nowMs = services.clock.nowMs();
  const days = Array.from({ length: 31 }, (_, i) => computeDayWindow(nowMs - (30 - i) * dayMs).label);
  const lastUses = new Map<string, string>();
  for (const [day, sums] of await readDays(services, account, days))
    for (const keyId of listUsedKeyIds(sums)) lastUses.set(keyId, day);
  return lastUses;
}

/** Lists the ids of the credentials that were used on a day or in a month. */
function listUsedKeyIds(sums: UsageSums): readonly string[] {
  const ids = Object.keys(sums).flatMap((counter) => (/^[kf]#/.test(counter) ? [counter.slice(2)] : []));
  return [...new Set(ids)];
}

/** DynamoDB's limit of items for one call. */
const itemsPerReadMax = 100;

/** Longest time for the items that a busy table leaves out, in milliseconds. */
const readMsMax = 5_000;

/**
 * Reads items by their keys. Those that DynamoDB leaves out are read again, after a pause.
 * @throws `Outage` when items are left out for `readMsMax`
 */
async function readItems(
  services: TableServices<'quotaCounters'>,
  keys: readonly string[],
): Promise<readonly Item[]> {
  const { clock, deadline, tables } = services;
  const { quotaCounters } = tables;
  const endsMs = Math.min(clock.nowMs() + readMsMax, deadline.endsMs);
  const pause = createPauses(clock, { firstMs: 50, growth: 2, endsMs });
  const items: Item[] = [];
  let keysLeft: Record<string, unknown>[] = keys.map((pk) => ({ pk }));
  for (;;) {
    const request = { [quotaCounters]: { Keys: keysLeft, ConsistentRead: true } };
    const page = await readTable(services, new BatchGetCommand({ RequestItems: request }));
    items.push(...(page.Responses?.[quotaCounters] ?? []));
    keysLeft = page.UnprocessedKeys?.[quotaCounters]?.Keys ?? [];
    if (keysLeft.length === 0) return items;
    if (!(await pause())) throw new Outage(`${quotaCounters} leaves items out`);
  }
}

/** Sums up a day or month. With `names`, the summary has the busiest keys. */
function summariseUsage(sums: UsageSums, names?: KeyNames, keysMax?: number) {
  const bySource: Partial<Record<ImageSource, number>> = {};
  const byCache = { HIT: 0, MISS: 0 };
  const refused: Record<string, number> = {};
  let requests = 0;
  let free = 0;
  for (const [name, count] of Object.entries(sums)) {
    const [kind, key, cache] = name.split('#') as [string, string, UsageOutcome['cache']];
    if (kind === 'f') free += count;
    if (kind === 'r') refused[key] = count;
    if (kind !== 'n') continue;
    bySource[key as ImageSource] = (bySource[key as ImageSource] ?? 0) + count;
    byCache[cache] += count;
    requests += count;
  }
  const byKey = names && listUsageByKey(sums, names).slice(0, keysMax);
  return { requests, free, bySource, byCache, refused, ...(byKey && { byKey }) };
}

/** Lists the keys of a day or month, the busiest first. */
function listUsageByKey(sums: UsageSums, names: KeyNames): NonNullable<UsageBreakdown['byKey']> {
  return listUsedKeyIds(sums)
    .map((keyId) => {
      const [requests = 0, free = 0] = [sums[`k#${keyId}`], sums[`f#${keyId}`]];
      return dropUndefined({ keyId, name: names.get(keyId), requests, free });
    })
    .sort((a, b) => b.requests - a.requests || (a.keyId < b.keyId ? -1 : 1));
}

/** Lists the month (`yyyy-mm`, UTC) of a moment and the months before it, oldest first. */
export function listLastMonths(nowMs: number, count: number): readonly string[] {
  const month = new Date(nowMs);
  return Array.from({ length: count }, (_, i) => {
    const startMs = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - count + 1 + i);
    return computeMonthWindow(startMs).label;
  });
}
