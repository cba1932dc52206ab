/** As the functions of these names in `../dynamodb.ts`, for the stores that have a client of their own. */

import type { QueryCommand, ScanCommand, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as database from '../dynamodb';
import { type Database, servicesOf } from './call';

/** As `writeIf` of `dynamodb.ts`, within the request that is being answered. */
export function writeIf(db: Database, update: UpdateCommandInput): Promise<database.WriteResult> {
  return database.writeIf(servicesOf(db), update);
}

/** As `readItem` of `dynamodb.ts`, within the request that is being answered. */
export function readItem(
  db: Database,
  TableName: string | undefined,
  Key: UpdateCommandInput['Key'],
): Promise<database.Item | undefined> {
  return database.readItem(servicesOf(db), { TableName, Key });
}

/** All items of a query or scan, page by page. */
export function itemsOf(db: Database, first: QueryCommand | ScanCommand): AsyncIterable<database.Item> {
  return database.itemsOf(servicesOf(db), first);
}
