/** The usage store in DynamoDB: small items of flat counters beside the quota counters, added to in one write. */

import { call, type Database, retryIfNotApplied } from '../../aws/dynamodb/call';
import { UpdateCommand } from '../../aws/dynamodb/commands';
import { usageHistoryMonths } from '../../contract/plans';
import type { ProblemCode } from '../../problems/problem';
import type { UsageThreshold } from '../quota';
import {
  type CacheOutcome,
  outcomeName,
  type RefusedByCode,
  type UsageCount,
  type UsageMonth,
  type UsageSource,
  type UsageStore,
} from '../usage/usage';

/** One addition a record, sent again only when it was certainly not applied. */
export function createUsageStore(client: Database, tableName: string): UsageStore {
  return {
    async record({ account, keyId, day, counts }) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: keyDayKey(account, day, keyId) },
        // Both index keys are the same in every write, so only the first one of a day costs the index anything.
        UpdateExpression: `ADD ${counts.map((_, i) => `#n${i} :n${i}`).join(', ')} SET usedBy = :account, usedOn = :day, #ttl = :ttl`,
        ExpressionAttributeNames: {
          '#ttl': 'ttl',
          ...Object.fromEntries(counts.map((count, i) => [`#n${i}`, outcomeName(count)])),
        },
        ExpressionAttributeValues: {
          ':account': account,
          ':day': day,
          ':ttl': usageExpiryS(day),
          ...Object.fromEntries(counts.map(({ requests }, i) => [`:n${i}`, requests])),
        },
      });
      await call(client, command, retryIfNotApplied);
    },
  };
}

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

/** Name of the counter of a day, source and cache outcome over all keys, such as `d#21#stock_a#HIT`. */
export function countName({ day, source, cache }: Omit<UsageCount, 'requests'>): string {
  return `d#${day}#${source}#${cache}`;
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

type Attributes = Readonly<Record<string, unknown>>;

/** The counts of an item of one key and day. */
export function keyDayIn(item: Attributes, day: number, keyId: string): UsageMonth {
  const parts: UsageMonth[] = [];
  for (const [name, value] of Object.entries(item)) {
    const [kind, source, cache] = name.split('#');
    const requests = Number(value);
    if (kind === 'r') parts.push({ counts: [], byKey: {}, refused: { [source as ProblemCode]: requests } });
    if ((kind !== 'n' && kind !== 'f') || requests === 0) continue;
    const outcome = { source: source as UsageSource, cache: cache as CacheOutcome };
    parts.push({
      counts: [{ day, ...outcome, requests }],
      byKey: { [keyId]: requests },
      ...(kind === 'f' ? { freeByKey: { [keyId]: requests } } : {}),
    });
  }
  return sumOf(parts);
}

/** The counts of a month's or a rolled-up day's item; attributes of other kinds are left out. */
export function usageMonthIn(item: Attributes): UsageMonth {
  const counts: UsageCount[] = [];
  const byKey: Record<string, number> = {};
  const freeByKey: Record<string, number> = {};
  const refused: Record<string, number> = {};
  for (const [name, value] of Object.entries(item)) {
    const [kind, ...parts] = name.split('#');
    const requests = Number(value);
    if (kind === 'r') refused[parts.join('#')] = requests;
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
  return monthOf(counts, byKey, freeByKey, refused);
}

/** The attributes of such an item. */
export function usageAttributes({ counts, byKey, freeByKey = {}, refused = {} }: UsageMonth): Attributes {
  return {
    ...Object.fromEntries(
      Object.entries(refused).map(([code, requests]) => [
        outcomeName({ refused: code as ProblemCode }),
        requests,
      ]),
    ),
    ...Object.fromEntries(counts.map((count) => [countName(count), count.requests])),
    ...Object.fromEntries(Object.entries(byKey).map(([keyId, requests]) => [keyName(keyId), requests])),
    ...Object.fromEntries(Object.entries(freeByKey).map(([keyId, requests]) => [freeName(keyId), requests])),
  };
}

/** Adds counts of the same month up. */
export function sumOf(parts: readonly UsageMonth[]): UsageMonth {
  const counts = new Map<string, UsageCount>();
  const byKey: Record<string, number> = {};
  const freeByKey: Record<string, number> = {};
  const refused: Record<string, number> = {};
  const add = (sums: Record<string, number>, requests: Readonly<Record<string, number>>) => {
    for (const [keyId, more] of Object.entries(requests)) sums[keyId] = (sums[keyId] ?? 0) + more;
  };
  for (const part of parts) {
    for (const count of part.counts) {
      const name = countName(count);
      counts.set(name, { ...count, requests: (counts.get(name)?.requests ?? 0) + count.requests });
    }
    add(byKey, part.byKey);
    add(freeByKey, part.freeByKey ?? {});
    add(refused, part.refused ?? {});
  }
  return monthOf([...counts.values()], byKey, freeByKey, refused);
}

function monthOf(
  counts: UsageMonth['counts'],
  byKey: UsageMonth['byKey'],
  freeByKey: Readonly<Record<string, number>>,
  refused: RefusedByCode,
): UsageMonth {
  const isEmpty = (sums: object) => Object.keys(sums).length === 0;
  return {
    counts,
    byKey,
    ...(isEmpty(freeByKey) ? {} : { freeByKey }),
    ...(isEmpty(refused) ? {} : { refused }),
  };
}

/** When the items of a month or of a day in it may be forgotten, in epoch seconds: a month after the history shows it last. */
export function usageExpiryS(label: string): number {
  const [year = 0, month = 0] = label.split('-').map(Number);
  return Date.UTC(year, month + usageHistoryMonths) / 1_000;
}
