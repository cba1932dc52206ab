/** API keys, signers and site keys in their table: one item for each, keys under their hash and signers under their id. */

import { GetCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type DatabaseServices, type Item, itemsOf, read, write } from '../aws/dynamodb';
import type { PlanName } from '../contract/plans';
import type { IndexName } from '../contract/tables';
import type { KeyHash, KeyMode } from './api-key';
import type { AccountId } from './caller';
import type { AllowedOrigin } from './site-key';

/** Under which a record is found: the hash of a key or site key, or the id of a signer. */
export type KeyRef = KeyHash | KeyRecord['keyId'];

/** An API key, a signer or a site key, as it is kept. */
export interface KeyRecord {
  /** Public handle, safe to show and log; of a signer its id. */
  readonly keyId: string;
  /** Absent for a signer, which is found by its id and has no secret in any table. */
  readonly hash?: KeyHash;
  /** Absent for an API key. */
  readonly publishedAs?: 'signer' | 'site';
  /** An owner manages the credentials of its account; absent for a member, and for what is no live API key. */
  readonly role?: 'owner';
  /** How an API key or a site key begins, by which its owner tells it from others. */
  readonly prefix?: string;
  /** Origins of the pages that may use it; of site keys only, which have at least one. */
  readonly origins?: readonly AllowedOrigin[];
  /** Units that it may spend in a UTC month, beside the plan's; of every site key, and of API keys with such a bound. */
  readonly maxPerMonth?: number;
  readonly mode: KeyMode;
  readonly account: AccountId;
  /** What the operator called the account; on each of its keys, like the plan. Absent for an account without a name. */
  readonly accountName?: string;
  readonly plan: PlanName;
  /** What the operator called it. */
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Who made it: the ARN of an AWS principal, or a user of the local service's machine. */
  readonly createdBy: string;
  /** When it was last changed, ISO 8601; absent until it is. */
  readonly changedAt?: string;
  /** Who did that. */
  readonly changedBy?: string;
  /** ISO 8601: from then on the key is refused (the end of a rotation's overlap). */
  readonly expiresAt?: string;
  /** ISO 8601. */
  readonly revokedAt?: string;
}

/** Under which a record is kept: a signer has no hash. */
export function refOf({ hash, keyId }: Pick<KeyRecord, 'hash' | 'keyId'>): KeyRef {
  return hash ?? keyId;
}

/** What of a record can change after it was issued; `null` takes a revocation back. */
export interface KeyChange extends Partial<Omit<KeyRecord, 'keyId' | 'hash' | 'account' | 'revokedAt'>> {
  readonly revokedAt?: string | null;
}

/** What the store needs of `Services`. Every function of it throws as `read` and `write` do; every write may be sent twice. */
export interface KeyServices extends DatabaseServices {
  readonly tables: { readonly apiKeys: string };
}

/** Partition key of the item of a key (a hexadecimal hash), or of a signer. */
export function itemKeyOf(ref: KeyRef): string {
  return `${ref.startsWith('sg_') ? 'S' : 'K'}#${ref}`;
}

/**
 * The record of a key, signer or site key, or `undefined` when it was never issued. Read with strong consistency, so that a
 * new key works at once.
 */
export async function findKey(services: KeyServices, ref: KeyRef): Promise<KeyRecord | undefined> {
  const Key = { pk: itemKeyOf(ref) };
  const command = new GetCommand({ TableName: services.tables.apiKeys, Key, ConsistentRead: true });
  const { Item } = await read(services, command);
  return Item && recordInItem(Item);
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
  for await (const item of itemsOf(services, byAccount)) records.push(recordInItem(item));
  return records;
}

/** All keys, in no order, page by page. Consistent: an operator who has just made a key looks for it at once. */
export async function* allKeys(services: KeyServices): AsyncIterable<KeyRecord> {
  const scan = new ScanCommand({ TableName: services.tables.apiKeys, ConsistentRead: true });
  for await (const item of itemsOf(services, scan)) yield recordInItem(item);
}

/** Adds a key. @throws when another is already kept under its hash or id */
export async function addKey(services: KeyServices, record: KeyRecord): Promise<void> {
  const command = new PutCommand({
    TableName: services.tables.apiKeys,
    Item: { pk: itemKeyOf(refOf(record)), ...record },
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
    Key: { pk: itemKeyOf(ref) },
    ConditionExpression: 'attribute_exists(pk)',
    UpdateExpression: `SET ${fields.map(([name]) => `#${name} = :${name}`).join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
    ExpressionAttributeNames: Object.fromEntries(all.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
  });
  await write(services, command);
}

/** The record in an item, without the key of the item. */
function recordInItem({ pk: _pk, ...record }: Item): KeyRecord {
  return record as unknown as KeyRecord;
}
