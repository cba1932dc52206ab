/** API keys, signers and site keys in their table: one item for each, keys under their hash and signers under their id. */

import { GetCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type DatabaseServices, type Item, itemsOf, read, write } from '../aws/dynamodb';
import type { IndexName } from '../contract/tables';
import { type KeyChange, type KeyRecord, type KeyRef, refOf } from './api-keys';
import type { AccountId } from './caller';

/** What the store needs of `Services`. Every function of it throws as `read` and `write` do; every write may be sent twice. */
export interface KeyServices extends DatabaseServices {
  readonly tables: { readonly apiKeys: string };
}

/** Partition key of the item of a key (a hexadecimal hash), or of a signer. */
export function keyOf(ref: KeyRef): string {
  return `${ref.startsWith('sg_') ? 'S' : 'K'}#${ref}`;
}

/**
 * The record of a key, signer or site key, or `undefined` when it was never issued. Read with strong consistency, so that a
 * new key works at once.
 */
export async function findKey(services: KeyServices, ref: KeyRef): Promise<KeyRecord | undefined> {
  const Key = { pk: keyOf(ref) };
  const command = new GetCommand({ TableName: services.tables.apiKeys, Key, ConsistentRead: true });
  const { Item } = await read(services, command);
  return Item && recordOf(Item);
}

/** All keys of an account, oldest first. The list may lag behind the writing. */
export async function keysOf(services: KeyServices, account: AccountId): Promise<readonly KeyRecord[]> {
  const byAccount = new QueryCommand({
    TableName: services.tables.apiKeys,
    IndexName: 'byAccount' satisfies IndexName<'apiKeys'>,
    KeyConditionExpression: 'account = :account',
    ExpressionAttributeValues: { ':account': account },
  });
  const records = [];
  for await (const item of itemsOf(services, byAccount)) records.push(recordOf(item));
  return records;
}

/** All keys, in no order, page by page. Consistent: an operator who has just made a key looks for it at once. */
export async function* allKeys(services: KeyServices): AsyncIterable<KeyRecord> {
  const scan = new ScanCommand({ TableName: services.tables.apiKeys, ConsistentRead: true });
  for await (const item of itemsOf(services, scan)) yield recordOf(item);
}

/** Adds a key. @throws when another is already kept under its hash or id */
export async function addKey(services: KeyServices, record: KeyRecord): Promise<void> {
  const command = new PutCommand({
    TableName: services.tables.apiKeys,
    Item: { pk: keyOf(refOf(record)), ...record },
    // The same record may be put twice, so that a lost answer can be repeated.
    ConditionExpression: 'attribute_not_exists(pk) OR keyId = :id',
    ExpressionAttributeValues: { ':id': record.keyId },
  });
  await write(services, command);
}

/** Changes one key. @throws when it does not exist */
export async function changeKey(services: KeyServices, ref: KeyRef, change: KeyChange): Promise<void> {
  const all = Object.entries(change) as [keyof KeyChange, string | null][];
  const fields = all.filter(([, value]) => value !== null);
  const removed = all.filter(([, value]) => value === null).map(([name]) => `#${name}`);
  const command = new UpdateCommand({
    TableName: services.tables.apiKeys,
    Key: { pk: keyOf(ref) },
    ConditionExpression: 'attribute_exists(pk)',
    UpdateExpression: `SET ${fields.map(([name]) => `#${name} = :${name}`).join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
    ExpressionAttributeNames: Object.fromEntries(all.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
  });
  await write(services, command);
}

/** The record in an item, without the attributes that only the engine needs. */
function recordOf({ pk: _pk, ttl: _ttl, ...record }: Item): KeyRecord {
  return record as unknown as KeyRecord;
}
