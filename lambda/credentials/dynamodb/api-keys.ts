/** API keys, signers and site keys in DynamoDB: one item for each, found by its hash or id. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import type { ApiKeys, KeyRecord, KeyRef } from '../api-keys';

/** Looks a key up by one strongly consistent read. @throws when the table does not answer after three attempts */
export function createApiKeys(client: Database, tableName: string): ApiKeys {
  return {
    async find(ref) {
      const command = new GetCommand({
        TableName: tableName,
        Key: { pk: keyOf(ref) },
        ConsistentRead: true,
      });
      const { Item } = await call(client, command, retryIdempotent);
      return Item && recordOf(Item);
    },
  };
}

/** Partition key of the item of a key (a hexadecimal hash), or of a signer. */
export function keyOf(ref: KeyRef): string {
  return `${ref.startsWith('sg_') ? 'S' : 'K'}#${ref}`;
}

/** The record in an item, without the attributes that only the engine needs. */
export function recordOf(item: Record<string, unknown>): KeyRecord {
  const { pk: _pk, ttl: _ttl, ...record } = item;
  return record as unknown as KeyRecord;
}
