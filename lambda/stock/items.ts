/** Reads and replaces items that have a version and a value as JSON, in the tables `images` and `cache`. */

import { PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { type DatabaseServices, makeItemKey, readItem, writeTable } from '../aws/dynamodb';
import { classifyCallFailure } from '../aws/errors';
import { computeTtlS } from '../base/window';

export interface StoredItem<T> {
  readonly value: T;
  readonly version: string;
}

interface NewItem<T> {
  readonly TableName: string;
  readonly pk: string;
  readonly value: T;
  /** Moment after which the table may delete it. */
  readonly endsMs: number;
}

/** Reads a value that may have ended. @param isLatest reads strongly consistent, at twice the price */
export async function readStoredValue<T>(
  services: DatabaseServices,
  TableName: string,
  pk: string,
  isLatest = false,
): Promise<StoredItem<T> | undefined> {
  const { value, version } = (await readItem(services, makeItemKey(TableName, pk), isLatest)) ?? {};
  return typeof value === 'string' ? { value: JSON.parse(value) as T, version: String(version) } : undefined;
}

/** Writes an item if the condition holds. Repeated attempts of one write have the same version. */
export async function writeItem<T>(
  services: DatabaseServices,
  { TableName, pk, value, endsMs }: NewItem<T>,
  version = '',
  condition: Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'> = {},
): Promise<void> {
  const Item = { pk, value: JSON.stringify(value), version, ttl: computeTtlS(endsMs) };
  await writeTable(services, new PutCommand({ TableName, Item, ...condition }));
}

/** Replaces the version that was read. Returns the stored item: another request may have replaced it first. */
export async function replaceItem<T>(
  services: DatabaseServices,
  item: NewItem<T>,
  version: string,
  readVersion: string | undefined,
): Promise<StoredItem<T>> {
  const { TableName, pk, value } = item;
  const condition = {
    ConditionExpression: 'attribute_not_exists(pk) OR version = :read',
    ExpressionAttributeValues: { ':read': readVersion ?? 'none' },
  };
  try {
    await writeItem(services, item, version, condition);
    return { value, version };
  } catch (error) {
    if (classifyCallFailure(error) !== 'conditionFailed') throw error;
    return (await readStoredValue<T>(services, TableName, pk, true)) ?? { value, version };
  }
}
