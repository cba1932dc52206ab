/** The usage store in DynamoDB: small items of flat counters beside the quota counters, added to in one write. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../aws/dynamodb';
import { call, type Database, retryIfNotApplied } from '../../aws/dynamodb/call';
import { usageHistoryMonths } from '../../contract/plans';
import type { UsageThreshold } from '../quota';
import {
  type CacheOutcome,
  outcomeName,
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

/** Name of the counter of charged requests by day, source and cache outcome over all keys, such as `d#21#stock_a#HIT`. */
export function countName({ day, source, cache }: Omit<UsageCount, 'requests'>): string {
  return `d#${day}#${source}#${cache}`;
}

/** Name of the counter of a key's charged requests: some 30 bytes, so that 10,000 keys would still fit into an item. */
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

/** Requests by the names of their counters: a month or a rolled-up day as its item holds it. */
export type UsageSums = Readonly<Record<string, number>>;

/** What an item of one key and day adds to the sums of its account. @param day of the month, from 1 */
export function keyDayIn(item: Item, day: number, keyId: string): UsageSums {
  const parts = Object.entries(item).map(([name, value]): UsageSums => {
    const [kind, ...outcome] = name.split('#');
    const requests = Number(value);
    if (kind === 'r') return { [name]: requests };
    if (kind !== 'n' && kind !== 'f') return {};
    if (kind === 'f') return { [freeName(keyId)]: requests };
    return { [['d', day, ...outcome].join('#')]: requests, [keyName(keyId)]: requests };
  });
  return sumOf(parts);
}

/** The sums in the item of a month or a rolled-up day; attributes of other kinds are left out. */
export function usageSumsIn(item: Item): UsageSums {
  const sums = Object.entries(item).filter(([name]) => /^[dkfr]#/.test(name));
  return Object.fromEntries(sums.map(([name, value]) => [name, Number(value)]));
}

/** Adds sums of the same month up. */
export function sumOf(parts: readonly UsageSums[]): UsageSums {
  const sums: Record<string, number> = {};
  for (const [name, more] of parts.flatMap((part) => Object.entries(part)))
    sums[name] = (sums[name] ?? 0) + more;
  return sums;
}

/** The month, or the day, whose sums these are. */
export function usageMonthOf(sums: UsageSums): UsageMonth {
  const of = (kind: 'd' | 'k' | 'f' | 'r') =>
    Object.entries(sums).flatMap(([name, requests]) =>
      name.startsWith(`${kind}#`) && requests !== 0 ? [[name.slice(2), requests] as const] : [],
    );
  const counts = of('d').map(([outcome, requests]): UsageCount => {
    const [day, source, cache] = outcome.split('#') as [string, UsageSource, CacheOutcome];
    return { day: Number(day), source, cache, requests };
  });
  const [byKey, freeByKey, refused] = [of('k'), of('f'), of('r')].map((each) => Object.fromEntries(each));
  return { counts, byKey, freeByKey, refused } as UsageMonth;
}

/** When the items of a month or of a day in it may be forgotten, in epoch seconds: a month after the history shows it last. */
export function usageExpiryS(label: string): number {
  const [year = 0, month = 0] = label.split('-').map(Number);
  return Date.UTC(year, month + usageHistoryMonths) / 1_000;
}
