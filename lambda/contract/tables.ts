/** The DynamoDB tables and their indexes, as the stack creates them in AWS and the local service in its engine. */

import type { FunctionName } from './functions';

/** One DynamoDB table: what the stack creates in AWS is what the local service creates in its embedded engine. */
export interface TableDefinition {
  readonly partitionKey: string;
  readonly indexes: readonly IndexDefinition[];
  /** Kept when its stack goes, and restorable to any second of the last 35 days; false for what may be lost. */
  readonly isDurable: boolean;
  /** Attribute that holds the expiry in epoch seconds. DynamoDB deletes late, so readers check it themselves. */
  readonly ttl: string;
}

/** One global secondary index. `keysOnly` projects nothing but keys. */
export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: AttributeDefinition;
  readonly sortKey?: AttributeDefinition;
  readonly keysOnly: boolean;
}

/** An indexed attribute and its DynamoDB type: string or number. */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: 'S' | 'N';
}

/** All tables; each name stands for a table's physical name, which `tableVariables` passes to functions. */
export const tables = {
  /** One item per API key, site key (found by its SHA-256) and signer (found by its id, without its secret). */
  apiKeys: {
    partitionKey: 'pk',
    indexes: [
      {
        name: 'byAccount',
        partitionKey: { name: 'account', type: 'S' },
        sortKey: { name: 'createdAt', type: 'S' },
        keysOnly: false,
      },
    ],
    isDurable: true,
    ttl: 'ttl',
  },
  /** What limits count, what is paid today, and usage by the day. */
  quotaCounters: {
    partitionKey: 'pk',
    indexes: [],
    isDurable: true,
    ttl: 'ttl',
  },
  /** One item per distinct AI image. */
  generationIndex: {
    partitionKey: 'pk',
    indexes: [
      {
        name: 'publicByLook',
        partitionKey: { name: 'look', type: 'S' },
        sortKey: { name: 'listedAt', type: 'S' },
        keysOnly: false,
      },
      { name: 'byImageId', partitionKey: { name: 'imageId', type: 'S' }, keysOnly: true },
    ],
    isDurable: true,
    ttl: 'ttl',
  },
  /** The images that stand for queries, what shows each of them again, and what was removed. */
  images: {
    partitionKey: 'pk',
    indexes: [],
    isDurable: true,
    ttl: 'ttl',
  },
  /** What requests were answered with, notes of renditions, and uses that were reported. */
  cache: { partitionKey: 'pk', indexes: [], isDurable: false, ttl: 'ttl' },
} as const satisfies Record<string, TableDefinition>;

/** One of the tables, by its logical name. */
export type TableName = keyof typeof tables;

/** Single-item reads and conditional updates. */
const change = ['GetItem', 'UpdateItem'] as const;
const keep = [...change, 'PutItem'] as const;

/** Actions of DynamoDB that each function may do on each table and its indexes; it reads the table's name from its environment. */
export const tableAccess: Readonly<
  Record<TableName, Readonly<Partial<Record<FunctionName, readonly string[]>>>>
> = {
  // To sign what a record names by the account's own signer, to report usage by key, and for owners of accounts.
  apiKeys: { authorizer: ['GetItem'], api: ['Query', ...keep] },
  quotaCounters: { api: [...change, 'BatchGetItem'], generator: change },
  generationIndex: { api: [...change, 'Query'], generator: change },
  images: { api: keep },
  cache: { api: keep },
};

/** Names of the indexes of one table: a misspelt name, or one of another table, does not compile. */
export type IndexName<T extends TableName> = (typeof tables)[T]['indexes'][number]['name'];
