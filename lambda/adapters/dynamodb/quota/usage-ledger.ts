/** The usage ledger in DynamoDB: one item per account and month beside the quota counters. */

import { type UsageMonth, usageKeptMonths } from '../../../domain/quota/usage';
import { monthWindow } from '../../../domain/quota/window';
import type { UsageLedger } from '../../../ports/usage-ledger';
import { call, type Database, failureOf, onlyIfNotApplied, whateverHappens } from '../call';
import { BatchGetCommand, UpdateCommand } from '../commands';
import { announcedName, countName, freeName, keyName, usageKey, usageMonthIn } from './usage-item';

export function createUsageLedger(client: Database, tableName: string): UsageLedger {
  return {
    async record(entry) {
      const { label } = monthWindow(entry.atMs);
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: usageKey(entry.account, label) },
        UpdateExpression: `ADD #count :one, #key :one${entry.isFree ? ', #free :one' : ''} SET #ttl = :ttl`,
        ExpressionAttributeNames: {
          '#count': countName(entry),
          '#key': keyName(entry.keyId),
          ...(entry.isFree ? { '#free': freeName(entry.keyId) } : {}),
          '#ttl': 'ttl',
        },
        ExpressionAttributeValues: { ':one': 1, ':ttl': expiryS(label) },
      });
      await call(client, command, onlyIfNotApplied);
    },

    async months(account, labels) {
      const labelByKey = new Map(labels.map((label) => [usageKey(account, label), label]));
      const months = new Map<string, UsageMonth>();
      let wanted: Record<string, unknown>[] = [...labelByKey.keys()].map((pk) => ({ pk }));
      while (wanted.length > 0) {
        const command = new BatchGetCommand({ RequestItems: { [tableName]: { Keys: wanted } } });
        const page = await call(client, command, whateverHappens);
        for (const { pk, ...item } of page.Responses?.[tableName] ?? [])
          months.set(labelByKey.get(pk as string) as string, usageMonthIn(item));
        wanted = page.UnprocessedKeys?.[tableName]?.Keys ?? [];
      }
      return months;
    },

    async markAnnounced(owner, label, percent, by) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: usageKey(owner, label) },
        UpdateExpression: 'SET #mark = :by, #ttl = :ttl',
        // Who has marked it may repeat itself after a lost answer.
        ConditionExpression: 'attribute_not_exists(#mark) OR #mark = :by',
        ExpressionAttributeNames: { '#mark': announcedName(percent), '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':by': by, ':ttl': expiryS(label) },
      });
      try {
        await call(client, command, whateverHappens);
        return true;
      } catch (error) {
        if (failureOf(error) === 'refused') return false;
        throw error;
      }
    },
  };
}

/** When a month may be forgotten, in epoch seconds. */
function expiryS(label: string): number {
  const [year = 0, month = 0] = label.split('-').map(Number);
  return Date.UTC(year, month + usageKeptMonths) / 1_000;
}
