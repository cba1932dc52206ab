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

/** An API key, a signer or a site key, as the table has it. Dates are in ISO 8601. */
export interface StoredKey {
  /** The public handle, safe to show and log. For a signer it is the id. */
  readonly keyId: string;
  /** A signer has none, because no table holds its secret. */
  readonly hash?: KeyHash;
  readonly publishedAs?: 'signer' | 'site';
  /** Present for a live API key that may manage the credentials of its account. */
  readonly role?: 'owner';
  /** The beginning of a key, so that its owner recognises it. A signer has none. */
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

/** Gets what a key is stored under: its hash, or the id of a signer. */
export const getKeyReference = ({ hash, keyId }: Pick<StoredKey, 'hash' | 'keyId'>) => hash ?? keyId;

/** A change of a key; `null` undoes a revocation. */
export interface KeyChange extends Partial<Omit<StoredKey, 'keyId' | 'hash' | 'account' | 'revokedAt'>> {
  readonly revokedAt?: string | null;
}

/** The services of the store. Its functions throw as `readTable` and `writeTable` do. */
export type KeyServices = TableServices<'apiKeys'>;

/** Writes the partition key of a key: `K#` and a hash, or `S#` and the id of a signer. */
export function writePartitionKey(reference: string): string {
  return `${reference.startsWith('sg_') ? 'S' : 'K'}#${reference}`;
}

/** Finds a key. The read is strongly consistent, so that a new key works at once. */
export async function findKey(services: KeyServices, reference: string): Promise<StoredKey | undefined> {
  const item = await readItem(services, makeItemKey(services.tables.apiKeys, writePartitionKey(reference)));
  return item && makeStoredKey(item);
}

/** Reads all credentials of an account, oldest first. The list may lag behind writes. */
export async function readAccountKeys(
  services: KeyServices,
  account: AccountId,
): Promise<readonly StoredKey[]> {
  const query = new QueryCommand({
    TableName: services.tables.apiKeys,
    IndexName: 'byAccount' satisfies IndexName<'apiKeys'>,
    KeyConditionExpression: 'account = :account',
    ExpressionAttributeValues: { ':account': account },
  });
  const keys = [];
  for await (const item of listItems(services, query)) keys.push(makeStoredKey(item));
  return keys;
}

/** Reads all credentials without an order. The read is consistent, because operators look for new ones. */
export async function* readAllKeys(services: KeyServices): AsyncIterable<StoredKey> {
  const scan = new ScanCommand({ TableName: services.tables.apiKeys, ConsistentRead: true });
  for await (const item of listItems(services, scan)) yield makeStoredKey(item);
}

/** Adds a credential. Throws if another one is stored under its hash or id. */
export async function addKey(services: KeyServices, key: StoredKey): Promise<void> {
  const command = new PutCommand({
    TableName: services.tables.apiKeys,
    Item: { pk: writePartitionKey(getKeyReference(key)), ...key },
    // After a lost answer, the same key is put again.
    ConditionExpression: 'attribute_not_exists(pk) OR keyId = :id',
    ExpressionAttributeValues: { ':id': key.keyId },
  });
  await writeTable(services, command);
}

/** Changes one credential. Throws if it does not exist. */
export async function changeKey(services: KeyServices, reference: string, change: KeyChange): Promise<void> {
  const { revokedAt, ...attributes } = change;
  const { applied } = await updateItem(
    services,
    makeItemKey(services.tables.apiKeys, writePartitionKey(reference)),
    {
      set: { ...attributes, ...(revokedAt && { revokedAt }) },
      remove: revokedAt === null ? ['revokedAt'] : [],
      onlyIf: 'attribute_exists(pk)',
    },
  );
  if (!applied) throw new Error('The credential does not exist, or not any more.');
}

const makeStoredKey = ({ pk: _pk, ...fields }: Item) => fields as unknown as StoredKey;
