/** The marks of announced thresholds in DynamoDB; loaded on first need, as that is twice a month. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { callFailureOf } from '../../aws/errors';
import { monthWindow } from '../../base/window';
import type { UsageMarks } from '../usage/announce-usage';

/** @param tableName of the quota counters, beside which the marks stand */
export function createUsageMarks(client: Database, tableName: string): UsageMarks {
  return {
    async markAnnounced(owner, label, percent, by) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: `U#${owner}#${label}` },
        UpdateExpression: 'SET #mark = :by, #ttl = :ttl',
        // Who has marked it may repeat itself after a lost answer.
        ConditionExpression: 'attribute_not_exists(#mark) OR #mark = :by',
        ExpressionAttributeNames: { '#mark': `announced${percent}`, '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':by': by, ':ttl': monthWindow(Date.parse(label)).endMs / 1_000 },
      });
      try {
        await call(client, command, retryIdempotent);
        return true;
      } catch (error) {
        if (callFailureOf(error) === 'conditionFailed') return false;
        throw error;
      }
    },
  };
}
