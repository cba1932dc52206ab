/** The leases on the items of a store. */

import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { callFailureOf } from '../../aws/errors';

type ItemKey = Pick<UpdateCommandInput, 'TableName' | 'Key'>;

/** Whose lease it is, and until when; times are milliseconds since the epoch. */
interface Lease {
  readonly holder: string;
  readonly endsMs: number;
  readonly nowMs: number;
  /** Expiry of an item that does not exist yet, in epoch seconds. */
  readonly ttl: number;
}

/** @returns whether it was taken: not beside a fresh value, nor while another one holds it. @throws when the table fails */
export async function takeLease(
  client: Database,
  item: ItemKey,
  { holder, endsMs, nowMs, ttl }: Lease,
): Promise<boolean> {
  const command = new UpdateCommand({
    ...item,
    UpdateExpression: 'SET leaseHolder = :holder, leaseEndsMs = :ends, #ttl = if_not_exists(#ttl, :ttl)',
    // No fresh value is stored, and no other request holds the lease. The holder may repeat itself after a lost answer.
    ConditionExpression:
      '(attribute_not_exists(freshUntilMs) OR freshUntilMs <= :now) AND ' +
      '(attribute_not_exists(leaseEndsMs) OR leaseEndsMs <= :now OR leaseHolder = :holder)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':holder': holder, ':ends': endsMs, ':now': nowMs, ':ttl': ttl },
  });
  return isApplied(client, command);
}

/** Without effect where another one holds it by now. @throws when the table fails */
export async function releaseLease(client: Database, item: ItemKey, holder: string): Promise<void> {
  const command = new UpdateCommand({
    ...item,
    UpdateExpression: 'REMOVE leaseHolder, leaseEndsMs',
    ConditionExpression: 'leaseHolder = :holder',
    ExpressionAttributeValues: { ':holder': holder },
  });
  await isApplied(client, command);
}

/** Whether the condition of a write held. */
async function isApplied(client: Database, command: UpdateCommand): Promise<boolean> {
  try {
    await call(client, command, retryIdempotent);
    return true;
  } catch (error) {
    if (callFailureOf(error) !== 'conditionFailed') throw error;
    return false;
  }
}
