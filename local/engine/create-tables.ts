/** Creates the tables of the contract in an engine that lacks them, as the stack does in AWS, and empties one. */

import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteItemCommand,
  type DynamoDBClient,
  ListTablesCommand,
  paginateScan,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { type TableDefinition, type TableName, tables } from '../../lambda/contract/tables';

/**
 * Creates what is missing and leaves what is there.
 * @param physicalName gives each table its name in the engine; that of the contract by default
 */
export async function createTables(
  client: DynamoDBClient,
  physicalName: (table: TableName) => string = (table) => table,
): Promise<Readonly<Record<TableName, string>>> {
  const present = new Set((await client.send(new ListTablesCommand({}))).TableNames);
  const names = {} as Record<TableName, string>;
  for (const [table, definition] of Object.entries(tables) as [TableName, TableDefinition][]) {
    const name = physicalName(table);
    names[table] = name;
    if (present.has(name)) continue;
    await client.send(new CreateTableCommand(describeTable(name, definition)));
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 1 }, { TableName: name });
  }
  return names;
}

/** Deletes all items of a table whose only key is `pk`. */
export async function forgetItems(client: DynamoDBClient, table: string): Promise<void> {
  const pages = paginateScan({ client }, { TableName: table, ProjectionExpression: 'pk' });
  for await (const { Items = [] } of pages)
    for (const { pk } of Items)
      if (pk) await client.send(new DeleteItemCommand({ TableName: table, Key: { pk } }));
}

/** A table of the contract as the engine is asked for it. */
function describeTable(name: string, definition: TableDefinition): CreateTableCommandInput {
  const attributes = new Map<string, 'S' | 'N'>([[definition.partitionKey, 'S']]);
  const indexes = definition.indexes.map((index) => {
    attributes.set(index.partitionKey.name, index.partitionKey.type);
    if (index.sortKey) attributes.set(index.sortKey.name, index.sortKey.type);
    return {
      IndexName: index.name,
      KeySchema: [
        { AttributeName: index.partitionKey.name, KeyType: 'HASH' as const },
        ...(index.sortKey ? [{ AttributeName: index.sortKey.name, KeyType: 'RANGE' as const }] : []),
      ],
      Projection: { ProjectionType: index.keysOnly ? ('KEYS_ONLY' as const) : ('ALL' as const) },
    };
  });
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: definition.partitionKey, KeyType: 'HASH' }],
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(indexes.length > 0 ? { GlobalSecondaryIndexes: indexes } : {}),
  };
}
