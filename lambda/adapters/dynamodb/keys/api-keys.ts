/** API keys in DynamoDB: one item per key, found by its hash. */

import type { KeyHash } from '../../../domain/caller/api-key';
import type { ApiKeys, KeyRecord } from '../../../ports/api-keys';
import { call, type Database, whateverHappens } from '../call';
import { GetCommand } from '../commands';

export function createApiKeys(client: Database, tableName: string): ApiKeys {
  return {
    async find(hash) {
      const command = new GetCommand({
        TableName: tableName,
        Key: { pk: keyOf(hash) },
        ConsistentRead: true,
      });
      const { Item } = await call(client, command, whateverHappens);
      return Item && recordOf(Item);
    },
  };
}

/** Partition key of the item of a key. */
export function keyOf(hash: KeyHash): string {
  return `K#${hash}`;
}

/** The record in an item, without the attributes that only the engine needs. */
export function recordOf(item: Record<string, unknown>): KeyRecord {
  const { pk: _pk, ttl: _ttl, ...record } = item;
  return record as unknown as KeyRecord;
}
