/** The table of credentials. API keys and site keys are found by their hashes, signers by their ids. */

import { PutCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Item,
  listItems,
  makeItemKey,
  readItem,
  type TableServices,
  updateItem,
  writeTable,
} from '../aws/dynamodb';
import type { PlanName } from '../contract/plans';
import type { IndexName } from '../contract/tables';
import type { KeyHash, KeyMode } from './api-key';
import type { AccountId } from './caller';
import type { AllowedOrigin } from './site-key';

/** The reference of a record: the hash of a key or the id of a signer. */
export type KeyRef = KeyHash | KeyRecord['keyId'];

/** The record of an API key, a signer or a site key; dates are in ISO 8601. */
export interface KeyRecord {
  /** The public handle, safe to show and log. For a signer it is the id. */
  readonly keyId: string;
  /** Absent for a signer. No table holds the secret of a signer. */
  readonly hash?: KeyHash;
  readonly publishedAs?: 'signer' | 'site';
  /** Present for a live API key that may manage the credentials of its account. */
  readonly role?: 'owner';
  /** The beginning of a key, so that its owner recognises it. Absent for a signer. */
  readonly prefix?: string;
  readonly origins?: readonly AllowedOrigin[];
  /** Units that it may spend per UTC month. Present for every site key, and for API keys with a cap. */
  readonly maxPerMonth?: number;
  readonly mode: KeyMode;
  readonly account: AccountId;
  /** The operator's name for the account, on each of its keys. */
  readonly accountName?: string;
  readonly plan: PlanName;
  readonly name: string;
  readonly createdAt: string;
  /** The ARN of an AWS principal. For the local service it is a user of the machine. */
  readonly createdBy: string;
  readonly changedAt?: string;
  readonly changedBy?: string;
  /** The end of the overlap of a rotation. From then on the key is refused. */
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

/** Returns the reference under which a record is stored. */
export const getKeyRef = ({ hash, keyId }: Pick<KeyRecord, 'hash' | 'keyId'>): KeyRef => hash ?? keyId;

/** A change of a record; `null` undoes a revocation. */
export interface KeyChange extends Partial<Omit<KeyRecord, 'keyId' | 'hash' | 'account' | 'revokedAt'>> {
  readonly revokedAt?: string | null;
}

/** The services of the store. Its functions throw as `readTable` and `writeTable` do. */
export type KeyServices = TableServices<'apiKeys'>;

/** Writes the partition key of a record: `K#` and a hash, or `S#` and the id of a signer. */
export function writePartitionKey(ref: KeyRef): string {
  return `${ref.startsWith('sg_') ? 'S' : 'K'}#${ref}`;
}

/** Reads a record, strongly consistent, so that a new key works at once. */
export async function findKey(services: KeyServices, ref: KeyRef): Promise<KeyRecord | undefined> {
  const item = await readItem(services, makeItemKey(services.tables.apiKeys, writePartitionKey(ref)));
  return item && readRecord(item);
}

/** Reads all credentials of an account, oldest first. The list may lag behind writes. */
export async function readAccountKeys(
  services: KeyServices,
  account: AccountId,
): Promise<readonly KeyRecord[]> {
  const query = new QueryCommand({
    TableName: services.tables.apiKeys,
    IndexName: 'byAccount' satisfies IndexName<'apiKeys'>,
    KeyConditionExpression: 'account = :account',
    ExpressionAttributeValues: { ':account': account },
  });
  const records = [];
  for await (const item of listItems(services, query)) records.push(readRecord(item));
  return records;
}

/** Reads all credentials without an order. The read is consistent, because operators look for new ones. */
export async function* readAllKeys(services: KeyServices): AsyncIterable<KeyRecord> {
  const scan = new ScanCommand({ TableName: services.tables.apiKeys, ConsistentRead: true });
  for await (const item of listItems(services, scan)) yield readRecord(item);
}

/** Adds a credential. Throws if another one is stored under its hash or id. */
export async function addKey(services: KeyServices, record: KeyRecord): Promise<void> {
  const command = new PutCommand({
    TableName: services.tables.apiKeys,
    Item: { pk: writePartitionKey(getKeyRef(record)), ...record },
    // After a lost answer, the same record is put again.
    ConditionExpression: 'attribute_not_exists(pk) OR keyId = :id',
    ExpressionAttributeValues: { ':id': record.keyId },
  });
  await writeTable(services, command);
}

/** Changes one credential. Throws if it does not exist. */
export async function changeKey(services: KeyServices, ref: KeyRef, change: KeyChange): Promise<void> {
  const { revokedAt, ...attributes } = change;
  const { applied } = await updateItem(
    services,
    makeItemKey(services.tables.apiKeys, writePartitionKey(ref)),
    {
      set: { ...attributes, ...(revokedAt && { revokedAt }) },
      remove: revokedAt === null ? ['revokedAt'] : [],
      onlyIf: 'attribute_exists(pk)',
    },
  );
  if (!applied) throw new Error('The credential does not exist, or not any more.');
}

const readRecord = ({ pk: _pk, ...record }: Item) => record as unknown as KeyRecord;
