/** Quota counters in DynamoDB: every charge is one conditional write. */

import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { call, type Database, retryIdempotent, retryIfNotApplied } from '../../aws/dynamodb/call';
import { callFailureOf } from '../../aws/errors';
import type { Telemetry } from '../../base/telemetry';
import { unlimitedRequests } from '../../contract/plans';
import { chargedKey, isSet, type Limit, summedKeys } from '../quota';
import type { CounterCharge, QuotaCounters } from '../quota-counters';
import { checkQuotaItem, counterExpiryS } from './quota-item';

/** One conditional write a charge. An account's charge is sent once, a set's may be sent again after a lost answer. */
export function createQuotaCounters(
  client: Database,
  tableName: string,
  telemetry: Telemetry,
): QuotaCounters {
  const keyed = (pk: string) => ({ TableName: tableName, Key: { pk } });
  return {
    async charge(quota, requestId) {
      // A window of no units has no item yet whose number could refuse the first one.
      if (quota.limit < 1) return { outcome: 'exhausted' };
      const write = isSet(quota) ? addToSet(quota, requestId) : addToItem(quota);
      // A set takes the same id twice as once, so its write may be repeated whatever happened to it.
      const retried = isSet(quota) ? retryIdempotent : retryIfNotApplied;
      try {
        const key = keyed(chargedKey(quota, requestId));
        // The whole item: it is small, and its numbers are checked together after each write.
        const command = new UpdateCommand({ ...key, ...write, ReturnValues: 'ALL_NEW' });
        const { Attributes = {} } = await call(client, command, retried);
        if (!isSet(quota)) checkQuotaItem(Attributes, telemetry);
        return { outcome: 'charged', taken: takenIn(Attributes) };
      } catch (error) {
        return outcomeOf(error);
      }
    },

    async refund(quota, requestId) {
      const write = isSet(quota) ? removeFromSet(requestId) : subtractFromItem();
      const key = keyed(chargedKey(quota, requestId));
      const command = new UpdateCommand({ ...key, ...write, ReturnValues: 'ALL_NEW' });
      const { Attributes = {} } = await call(client, command, []);
      if (quota.counter.kind === 'account') checkQuotaItem(Attributes, telemetry);
    },

    async taken(quota) {
      const taken = summedKeys(quota).map(async (pk) => {
        const command = new GetCommand({
          ...keyed(pk),
          ConsistentRead: true,
          ProjectionExpression: 'taken, ops',
        });
        const { Item = {} } = await call(client, command, retryIdempotent);
        return takenIn(Item);
      });
      return (await Promise.all(taken)).reduce((sum, units) => sum + units, 0);
    },
  };
}

function outcomeOf(error: unknown): CounterCharge {
  const failure = callFailureOf(error);
  if (failure === 'conditionFailed') return { outcome: 'exhausted' };
  if (failure === 'unknownOutcome') return { outcome: 'unknown' };
  if (failure === 'notApplied') return { outcome: 'throttled' };
  throw error;
}

function takenIn(item: Readonly<Record<string, unknown>>): number {
  return item['ops'] instanceof Set ? item['ops'].size : Number(item['taken'] ?? 0);
}

type Write = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

function addToSet(quota: Limit, requestId: string): Write {
  return {
    UpdateExpression: 'ADD ops :ids SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(ops) OR size(ops) < :limit OR contains(ops, :id)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':ids': new Set([requestId]),
      ':id': requestId,
      ':limit': quota.limit,
      ':ttl': counterExpiryS(quota),
    },
  };
}

function removeFromSet(requestId: string): Write {
  return {
    UpdateExpression: 'DELETE ops :ids',
    // An item that is gone already must not come back without its expiry.
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':ids': new Set([requestId]) },
  };
}

function addToItem(quota: Limit): Write {
  const isLimited = quota.limit !== unlimitedRequests;
  return {
    UpdateExpression: 'ADD taken :one, spent :one SET #ttl = :ttl',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':ttl': counterExpiryS(quota),
      ...(isLimited ? { ':last': quota.limit - 1 } : {}),
    },
    ...(isLimited ? { ConditionExpression: 'attribute_not_exists(taken) OR taken <= :last' } : {}),
  };
}

function subtractFromItem(): Write {
  return {
    UpdateExpression: 'ADD taken :minus, spent :minus',
    ConditionExpression: 'spent >= :one',
    ExpressionAttributeValues: { ':minus': -1, ':one': 1 },
  };
}
