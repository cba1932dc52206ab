/** The form of a usage item: flat counters, so that one small write adds to them. */

import type { UsageThreshold } from '../../../domain/quota/quota';
import type { CacheOutcome, UsageCount, UsageMonth, UsageSource } from '../../../domain/quota/usage';
import type { UsageEntry } from '../../../ports/usage-ledger';

/** Partition key of an account's month, or of whose thresholds else are marked. */
export function usageKey(account: string, label: string): string {
  return `U#${account}#${label}`;
}

/**
 * Name of the counter of a day, source and cache outcome, such as `d#21#stock_a#HIT`. A month has at most 31 × 4 × 2 of
 * them: some 6 KB.
 */
export function countName({ atMs, source, cache }: Pick<UsageEntry, 'atMs' | 'source' | 'cache'>): string {
  return `d#${new Date(atMs).getUTCDate()}#${source}#${cache}`;
}

/** Name of the counter of a key: some 30 bytes, so that 10,000 keys would still fit into an item. */
export function keyName(keyId: string): string {
  return `k#${keyId}`;
}

/** Name of the counter of a key's requests that cost nothing. */
export function freeName(keyId: string): string {
  return `f#${keyId}`;
}

/** Name of the mark of an announced threshold. */
export function announcedName(percent: UsageThreshold): string {
  return `announced${percent}`;
}

/** The month in an item; attributes of other kinds are left out. */
export function usageMonthIn(item: Readonly<Record<string, unknown>>): UsageMonth {
  const counts: UsageCount[] = [];
  const byKey: Record<string, number> = {};
  const freeByKey: Record<string, number> = {};
  for (const [name, value] of Object.entries(item)) {
    const [kind, ...parts] = name.split('#');
    const requests = Number(value);
    if (kind === 'k') byKey[parts.join('#')] = requests;
    if (kind === 'f') freeByKey[parts.join('#')] = requests;
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
  return { counts, byKey, ...(Object.keys(freeByKey).length === 0 ? {} : { freeByKey }) };
}
