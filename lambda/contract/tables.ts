/** The DynamoDB tables, their indexes, and the rights of each function. */

import type { FunctionName } from './functions';

/**
 * One DynamoDB table. Its key is `pk`. DynamoDB deletes an item some time after its `ttl` (epoch seconds). An
 * item that must not be read after its end has the end in its value too.
 */
export interface TableDefinition {
  /** True if the table outlives its stack, and can be restored to any second of the last 35 days. */
  readonly isDurable: boolean;
  readonly indexes: readonly IndexDefinition[];
}

/** One global secondary index. Its keys are texts. `keysOnly` projects nothing but keys. */
interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly keysOnly: boolean;
}

/** All tables, by logical name. */
export const tables = {
  /** API keys and site keys by their SHA-256, and signers by their ids. */
  apiKeys: {
    isDurable: true,
    indexes: [{ name: 'byAccount', partitionKey: 'account', sortKey: 'createdAt', keysOnly: false }],
  },
  /** The counters of limits, the marks of images that are paid today, and the usage of each day. */
  quotaCounters: { isDurable: true, indexes: [] },
  generationIndex: {
    isDurable: true,
    indexes: [
      {
        name: 'publicByWordsAndStyle',
        partitionKey: 'wordsAndStyleHash',
        sortKey: 'listedAt',
        keysOnly: false,
      },
      { name: 'byImageId', partitionKey: 'imageId', keysOnly: true },
    ],
  },
  /** Choices for queries, images by their picks, removals of images, and the index of the library. */
  images: { isDurable: true, indexes: [] },
  /** Stored answers, notes of renditions, and uses that were reported. */
  cache: { isDurable: false, indexes: [] },
} as const satisfies Record<string, TableDefinition>;

export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as readonly TableName[];

/** The environment variables that pass the physical names of tables to functions. */
export const tableVariables = {
  apiKeys: 'API_KEYS_TABLE',
  quotaCounters: 'QUOTA_COUNTERS_TABLE',
  generationIndex: 'GENERATION_INDEX_TABLE',
  images: 'IMAGES_TABLE',
  cache: 'CACHE_TABLE',
} as const satisfies Record<TableName, string>;

const readAndUpdate = ['GetItem', 'UpdateItem'] as const;
const readAndWrite = [...readAndUpdate, 'PutItem'] as const;

/** The actions of DynamoDB that each function may call on each table and its indexes. */
export const tableAccess: Readonly<
  Record<TableName, Readonly<Partial<Record<FunctionName, readonly string[]>>>>
> = {
  // `api` reads keys to sign records and to report usage by key, and writes them for owners.
  apiKeys: { authorizer: ['GetItem'], api: ['Query', ...readAndWrite] },
  quotaCounters: { api: [...readAndUpdate, 'BatchGetItem'], generator: readAndUpdate },
  generationIndex: { api: [...readAndUpdate, 'Query'], generator: readAndUpdate },
  images: { api: readAndWrite },
  cache: { api: readAndWrite },
};

/** The names of the indexes of one table. Another name does not compile. */
export type IndexName<T extends TableName> = (typeof tables)[T]['indexes'][number]['name'];
