/** Takes one unit from several windows of one item in one conditional write: from all of them, or from none. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { call, type Database, retryIfNotApplied } from '../../aws/dynamodb/call';
import { callFailureOf } from '../../aws/errors';
import type { CounterWindow } from '../../base/item-store';

/**
 * @param expiryS when DynamoDB may delete the item, in epoch seconds
 * @returns false when one of the windows is used up
 * @throws when it is not known whether the units were taken
 */
export async function takeWindows(
  db: Database,
  TableName: string,
  pk: string,
  windows: readonly CounterWindow[],
  expiryS: number,
): Promise<boolean> {
  const each = (line: (index: number) => string) => windows.map((_, index) => line(index));
  const command = new UpdateCommand({
    TableName,
    Key: { pk },
    UpdateExpression: `ADD ${each((i) => `#w${i} :one`).join(', ')} SET #ttl = :ttl`,
    ConditionExpression: each((i) => `(attribute_not_exists(#w${i}) OR #w${i} < :limit${i})`).join(' AND '),
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(windows.map(({ name }, i) => [`#w${i}`, name])),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':ttl': expiryS,
      ...Object.fromEntries(windows.map(({ limit }, i) => [`:limit${i}`, limit])),
    },
  });
  try {
    await call(db, command, retryIfNotApplied);
    return true;
  } catch (error) {
    if (callFailureOf(error) === 'conditionFailed') return false;
    throw error;
  }
}
