/** Adds the indexes that a newer version of the contract has to tables that an older one made, with the items in them. */

import { type DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { type TableDefinition, type TableName, tables } from '../../lambda/contract/tables';
import { describeTable } from './create-tables';

type Done<T> = (error: unknown, value?: T) => void;

/** Description of a table, as the engine stores it. */
interface Table {
  readonly TableStatus: string;
  readonly AttributeDefinitions?: unknown;
  readonly GlobalSecondaryIndexes?: readonly Index[];
}

/** Description of an index, as the engine stores it. */
interface Index {
  readonly IndexName: string;
  readonly IndexStatus: string;
}

/** The part of dynalite's store that adding indexes needs. */
export interface Store {
  getTable(name: string, checkStatus: boolean, done: Done<Table>): void;
  readonly tableDb: {
    put(name: string, table: Table, done: Done<void>): void;
  };
}

/**
 * The engine cannot add an index, so its description of the table is rewritten; an item enters an index when it is
 * written. An index is marked as active at the end, so that the next start takes up what a crash has interrupted.
 * @param names of the tables, all of which exist
 */
export async function addIndexes(
  store: Store,
  client: DynamoDBClient,
  names: Readonly<Record<TableName, string>>,
): Promise<void> {
  for (const [table, definition] of Object.entries(tables) as [TableName, TableDefinition][]) {
    const TableName = names[table];
    const stored = await tableOf(store, TableName);
    const active = (stored.GlobalSecondaryIndexes ?? []).filter(
      ({ IndexStatus }) => IndexStatus === 'ACTIVE',
    );
    const { AttributeDefinitions, GlobalSecondaryIndexes = [] } = describeTable(TableName, definition);
    const missing = GlobalSecondaryIndexes.filter(
      ({ IndexName }) => !active.some((index) => index.IndexName === IndexName),
    );
    if (missing.length === 0) continue;
    const withIndexes = (IndexStatus: string): Table => ({
      ...stored,
      AttributeDefinitions,
      GlobalSecondaryIndexes: [
        ...active,
        ...missing.map((index) => ({ ...index, ...unused, IndexStatus }) as Index),
      ],
    });
    await putTable(store, TableName, withIndexes('CREATING'));
    for await (const { Items = [] } of paginateScan({ client }, { TableName }))
      for (const Item of Items) await client.send(new PutItemCommand({ TableName, Item }));
    await putTable(store, TableName, withIndexes('ACTIVE'));
  }
}

/** What the engine notes of an index beside its definition. */
const unused = {
  IndexSizeBytes: 0,
  ItemCount: 0,
  ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 },
} as const;

function tableOf(store: Store, name: string): Promise<Table> {
  return new Promise((resolve, reject) => {
    store.getTable(name, false, (error, table) => (table ? resolve(table) : reject(error)));
  });
}

function putTable(store: Store, name: string, table: Table): Promise<void> {
  return new Promise((resolve, reject) => {
    store.tableDb.put(name, table, (error) => (error ? reject(error) : resolve()));
  });
}
