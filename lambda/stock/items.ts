/** The items of stock images: each holds one value as JSON text, which is shorter than a map, and much faster to read and write. */

import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type DatabaseServices, read, write } from '../aws/dynamodb';
import { callFailureOf } from '../aws/errors';

/** A value as it was read. */
export interface StoredItem<T> {
  readonly value: T;
  /** Changes with each write. */
  readonly version: string;
}

/** How an item is written. */
interface ItemWrite {
  readonly TableName: string;
  readonly pk: string;
  readonly value: unknown;
  /** Moment (epoch, milliseconds) after which the table may delete it. */
  readonly endsMs: number;
}

/**
 * The value under a key, whether it has ended or not: the table deletes late, and what ends earlier says so itself.
 * @param isLatest sure to see every write that ended before, at twice the price
 * @throws when the table does not answer
 */
export async function readItemValue<T>(
  services: DatabaseServices,
  TableName: string,
  pk: string,
  isLatest = false,
): Promise<StoredItem<T> | undefined> {
  const command = new GetCommand({ TableName, Key: { pk }, ConsistentRead: isLatest });
  const { Item } = await read(services, command);
  return stored(Item);
}

/** @throws when the table does not answer */
export async function writeItem(
  services: DatabaseServices,
  { TableName, ...item }: ItemWrite,
): Promise<void> {
  await write(services, new PutCommand({ TableName, Item: attributesOf(item, '') }));
}

/**
 * Writes a value in place of the one that was read, or of none; where another was written meanwhile, that one stays.
 * @param version of the write, by which a copy of it that comes again knows itself
 * @param read what the value was made from
 * @returns what is stored now
 * @throws when the table does not answer
 */
export async function replaceItem<T>(
  services: DatabaseServices,
  { TableName, ...item }: ItemWrite & { readonly value: T },
  version: string,
  read: StoredItem<T> | undefined,
): Promise<StoredItem<T>> {
  const command = new PutCommand({
    TableName,
    Item: attributesOf(item, version),
    ConditionExpression:
      read === undefined ? 'attribute_not_exists(pk)' : 'attribute_not_exists(pk) OR version = :read',
    ...(read && { ExpressionAttributeValues: { ':read': read.version } }),
  });
  try {
    await write(services, command);
    return { value: item.value, version };
  } catch (error) {
    if (callFailureOf(error) !== 'conditionFailed') throw error;
    const winner = await readItemValue<T>(services, TableName, item.pk, true);
    return winner ?? { value: item.value, version };
  }
}

function attributesOf({ pk, value, endsMs }: Omit<ItemWrite, 'TableName'>, version: string) {
  return { pk, value: JSON.stringify(value), version, ttl: Math.ceil(endsMs / 1_000) };
}

function stored<T>(item: Readonly<Record<string, unknown>> | undefined): StoredItem<T> | undefined {
  const { value, version } = item ?? {};
  return typeof value === 'string' ? { value: JSON.parse(value) as T, version: String(version) } : undefined;
}
