/** The form of usage items: flat counters, so that one small write adds to them. */

import type { UsageThreshold } from '../../../domain/quota/quota';
import {
  type CacheOutcome,
  type UsageCount,
  type UsageMonth,
  type UsageOutcome,
  type UsageSource,
  usageKeptMonths,
} from '../../../domain/quota/usage';

/** Partition key of an account's month or rolled-up day, or of the owner whose thresholds are marked. */
export function usageKey(account: string, label: string): string {
  return `U#${account}#${label}`;
}

/** Partition key of what one key of an account has used on one day. */
export function keyDayKey(account: string, day: string, keyId: string): string {
  return `${usageKey(account, day)}#${keyId}`;
}

/** The key in the partition key of such an item. */
export function keyIdIn(pk: string, account: string, day: string): string {
  return pk.slice(keyDayKey(account, day, '').length);
}

/** Name of the counter of a source and cache outcome on one day of one key, such as `n#stock_a#HIT`: eight at most. */
export function outcomeName({ source, cache }: UsageOutcome): string {
  return `n#${source}#${cache}`;
}

/** Name of the counter of a day, source and cache outcome over all keys, such as `d#21#stock_a#HIT`. */
export function countName({ day, source, cache }: Omit<UsageCount, 'requests'>): string {
  return `d#${day}#${source}#${cache}`;
}

/** Name of the counter of a key: some 30 bytes, so that 10,000 keys would still fit into an item. */
export function keyName(keyId: string): string {
  return `k#${keyId}`;
}

/** Name of the mark of an announced threshold. */
export function announcedName(percent: UsageThreshold): string {
  return `announced${percent}`;
}

type Attributes = Readonly<Record<string, unknown>>;

/** The counts of an item of one key and day. */
export function keyDayIn(item: Attributes, day: number, keyId: string): UsageMonth {
  const counts: UsageCount[] = [];
  for (const [name, value] of Object.entries(item)) {
    const [kind, source, cache] = name.split('#');
    if (kind !== 'n' || Number(value) === 0) continue;
    const outcome = { source: source as UsageSource, cache: cache as CacheOutcome };
    counts.push({ day, ...outcome, requests: Number(value) });
  }
  const requests = counts.reduce((sum, count) => sum + count.requests, 0);
  return { counts, byKey: requests === 0 ? {} : { [keyId]: requests } };
}

/** The counts of a month's or a rolled-up day's item; attributes of other kinds are left out. */
export function usageMonthIn(item: Attributes): UsageMonth {
  const counts: UsageCount[] = [];
  const byKey: Record<string, number> = {};
  for (const [name, value] of Object.entries(item)) {
    const [kind, ...parts] = name.split('#');
    const requests = Number(value);
    if (kind === 'k') byKey[parts.join('#')] = requests;
    if (kind === 'd') {
      const [day, source, cache] = parts;
      counts.push({
        day: Number(day),
        source: source as UsageSource,
        cache: cache as CacheOutcome,
        requests,
      });
    }
  }
  return { counts, byKey };
}

/** The attributes of such an item. */
export function usageAttributes({ counts, byKey }: UsageMonth): Attributes {
  return {
    ...Object.fromEntries(counts.map((count) => [countName(count), count.requests])),
    ...Object.fromEntries(Object.entries(byKey).map(([keyId, requests]) => [keyName(keyId), requests])),
  };
}

/** Adds counts of the same month up. */
export function sumOf(parts: readonly UsageMonth[]): UsageMonth {
  const counts = new Map<string, UsageCount>();
  const byKey: Record<string, number> = {};
  for (const part of parts) {
    for (const count of part.counts) {
      const name = countName(count);
      counts.set(name, { ...count, requests: (counts.get(name)?.requests ?? 0) + count.requests });
    }
    for (const [keyId, requests] of Object.entries(part.byKey)) byKey[keyId] = (byKey[keyId] ?? 0) + requests;
  }
  return { counts: [...counts.values()], byKey };
}

/** When the items of a month or of a day in it may be forgotten, in epoch seconds. */
export function usageExpiryS(label: string): number {
  const [year = 0, month = 0] = label.split('-').map(Number);
  return Date.UTC(year, month + usageKeptMonths) / 1_000;
}
