/** The tables of the local service: dynalite, which speaks DynamoDB's protocol in this process, in a folder or in memory. */

import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateTableCommand,
  type DynamoDBClient,
  ListTablesCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';
import { failed } from '../cli/failure';
import { connectDynamoDb, type Database } from '../lambda/aws/dynamodb';
import { type TableDefinition, type TableName, tables } from '../lambda/contract/tables';
import { wordsFor } from './data-folder';
import { guarded } from './http';

/** The running engine. */
interface Engine {
  /** Base URL. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts the engine.
 * @param folder where the data is kept; absent for none
 * @param token the access key id that every caller signs with; absent for an engine that a test has for itself
 * @param host the interface, which containers reach too where it is `0.0.0.0`
 * @throws `Failure` when the folder cannot be used
 */
export async function startTables(folder?: string, token?: string, host = '127.0.0.1'): Promise<Engine> {
  if (folder !== undefined) await tryTables(folder);
  const path = folder === undefined ? {} : { path: folder };
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, ...path });
  const [answer] = server.listeners('request') as [RequestListener];
  server.removeAllListeners('request').on('request', guarded(answer, token));
  server.listen(0, host);
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (folder !== undefined) {
    // The store is opened by its first answer: until then another process could still open it.
    const { client } = connectDatabase(endpoint, token);
    await client.send(new ListTablesCommand({}));
    client.destroy();
  }
  return { endpoint, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Opens and closes the store, since dynalite tells no reason when it cannot open it. @throws `Failure` */
async function tryTables(folder: string): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const store = new Level(folder);
    await store.open();
    await store.close();
  } catch (error) {
    throw failed(wordsFor(folder, error), error);
  }
}

/** The database of the functions, on the engine. */
export function connectDatabase(endpoint: string, token = 'local'): Database {
  return connectDynamoDb({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: token, secretAccessKey: 'local' },
  });
}

/**
 * Creates the tables of the contract that are missing.
 * @param nameOf gives each table its name in the engine; that of the contract by default
 * @returns the names by those of the contract
 */
export async function createTables(
  client: DynamoDBClient,
  nameOf: (table: TableName) => string = (table) => table,
): Promise<Readonly<Record<TableName, string>>> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const names = {} as Record<TableName, string>;
  for (const [table, definition] of Object.entries(tables) as [TableName, TableDefinition][]) {
    const name = nameOf(table);
    names[table] = name;
    if (TableNames.includes(name)) continue;
    await client.send(createTable(name, definition));
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 1 }, { TableName: name });
  }
  return names;
}

/** Deletes all items of a table whose only key is `pk`. */
export async function forgetItems(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const scan = new ScanCommand({ TableName, ProjectionExpression: 'pk', ExclusiveStartKey });
    const { Items = [], LastEvaluatedKey } = await client.send(scan);
    for (const { pk } of Items) await client.send(new DeleteCommand({ TableName, Key: { pk } }));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

function createTable(TableName: string, { partitionKey, indexes }: TableDefinition): CreateTableCommand {
  const attributes = new Map<string, 'S' | 'N'>([[partitionKey, 'S']]);
  for (const { partitionKey: key, sortKey } of indexes)
    for (const each of [key, sortKey]) if (each) attributes.set(each.name, each.type);
  const keys = (hash: string, range?: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' as const }]),
  ];
  const GlobalSecondaryIndexes = indexes.map(({ name, partitionKey: key, sortKey, keysOnly }) => ({
    IndexName: name,
    KeySchema: keys(key.name, sortKey?.name),
    Projection: { ProjectionType: keysOnly ? ('KEYS_ONLY' as const) : ('ALL' as const) },
  }));
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys(partitionKey),
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes }),
  });
}
