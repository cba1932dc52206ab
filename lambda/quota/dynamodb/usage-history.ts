/** Reads an account's months from its items of days and keys, and adds up days that are over. */

import { BatchGetCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../aws/dynamodb';
import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { itemsOf } from '../../aws/dynamodb/items';
import { callFailureOf } from '../../aws/errors';
import type { IndexName } from '../../contract/tables';
import type { AccountId } from '../../credentials/account-id';
import { daysOfMonth, type UsageHistory, type UsageRollUp } from '../usage/usage';
import {
  keyDayIn,
  keyIdIn,
  sumOf,
  type UsageSums,
  usageExpiryS,
  usageKey,
  usageMonthOf,
  usageSumsIn,
} from './usage-store';

const indexName: IndexName<'quotaCounters'> = 'byUsage';
/** DynamoDB's limit for one batch. */
const batchMax = 100;

/** One item of a key and day, as the index lists it until the day is rolled up. */
interface Listed {
  readonly pk: string;
  readonly usedBy: AccountId;
  readonly usedOn: string;
}

/** @param tableName of the quota counters, beside which usage stands */
export function createUsageHistory(db: Database, tableName: string): UsageHistory & UsageRollUp {
  const get = async (pks: readonly string[]): Promise<ReadonlyMap<string, Item>> => {
    const items = new Map<string, Item>();
    for (let from = 0; from < pks.length; from += batchMax) {
      let wanted: Record<string, unknown>[] = pks.slice(from, from + batchMax).map((pk) => ({ pk }));
      while (wanted.length > 0) {
        const RequestItems = { [tableName]: { Keys: wanted, ConsistentRead: true } };
        const page = await call(db, new BatchGetCommand({ RequestItems }), retryIdempotent);
        for (const { pk, ...item } of page.Responses?.[tableName] ?? []) items.set(String(pk), item);
        wanted = page.UnprocessedKeys?.[tableName]?.Keys ?? [];
      }
    }
    return items;
  };

  /** The counts of listed items, each with its day. */
  const read = async (listed: readonly Listed[]): Promise<readonly (readonly [string, UsageSums])[]> => {
    const items = await get(listed.map(({ pk }) => pk));
    return listed.map(({ pk, usedBy, usedOn }) => [
      usedOn,
      keyDayIn(items.get(pk) ?? {}, Number(usedOn.slice(-2)), keyIdIn(pk, usedBy, usedOn)),
    ]);
  };

  const rollUpDay = async (account: AccountId, day: string, listed: readonly Listed[]): Promise<void> => {
    const parts = await read(listed);
    const put = new PutCommand({
      TableName: tableName,
      Item: {
        pk: usageKey(account, day),
        ...sumOf(parts.map(([, part]) => part)),
        ttl: usageExpiryS(day),
      },
      // The first one has seen every key of the day: none leaves the index before.
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    await call(db, put, retryIdempotent).catch((error: unknown) => {
      if (callFailureOf(error) !== 'conditionFailed') throw error;
    });
    for (const { pk } of listed) {
      const unlist = new UpdateCommand({
        TableName: tableName,
        Key: { pk },
        UpdateExpression: 'REMOVE usedBy, usedOn',
        ConditionExpression: 'attribute_exists(pk)',
      });
      await call(db, unlist, retryIdempotent);
    }
  };

  return {
    async months(account, labels) {
      const sorted = labels.toSorted();
      const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
      const query = new QueryCommand({
        TableName: tableName,
        IndexName: indexName,
        KeyConditionExpression: 'usedBy = :account AND usedOn BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':account': account, ':first': first, ':last': `${last}-31` },
      });
      const listed: Listed[] = [];
      for await (const item of itemsOf(db, query)) listed.push(item as unknown as Listed);
      const listedOf = new Map<string, UsageSums[]>();
      for (const [day, part] of await read(listed)) listedOf.set(day, [...(listedOf.get(day) ?? []), part]);
      // Read after them: what has left the index meanwhile is in here.
      const days = labels.flatMap(daysOfMonth);
      const summed = await get([...labels, ...days].map((label) => usageKey(account, label)));
      const partsOf = (label: string): readonly UsageSums[] => {
        const item = summed.get(usageKey(account, label));
        // A day that is rolled up holds its keys already, though a crash has left some of them listed.
        return item ? [usageSumsIn(item)] : (listedOf.get(label) ?? []);
      };
      const months = labels.map((label) => [label, [label, ...daysOfMonth(label)].flatMap(partsOf)] as const);
      const running = daysOfMonth(last).map((day) => [day, partsOf(day)] as const);
      const sums = [...months, ...running].map(([label, parts]) => [label, sumOf(parts)] as const);
      const used = sums.filter(([, each]) => Object.values(each).some((requests) => requests !== 0));
      return new Map(used.map(([label, each]) => [label, usageMonthOf(each)]));
    },

    async rollUp(beforeDay) {
      const scan = new ScanCommand({
        TableName: tableName,
        IndexName: indexName,
        FilterExpression: 'usedOn < :day',
        ExpressionAttributeValues: { ':day': beforeDay },
      });
      // Whole before the first is rolled up: a day's keys may stand on several pages.
      const days = new Map<string, Listed[]>();
      for await (const item of itemsOf(db, scan)) {
        const listed = item as unknown as Listed;
        const name = usageKey(listed.usedBy, listed.usedOn);
        days.set(name, [...(days.get(name) ?? []), listed]);
      }
      for (const listed of days.values()) {
        const [{ usedBy, usedOn }] = listed as [Listed];
        await rollUpDay(usedBy, usedOn, listed);
      }
      return days.size;
    },
  };
}
