/** Starts the tables of the local service. dynalite emulates DynamoDB in a folder or in memory. */

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
import { DeleteCommand, type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { create as createStore } from 'dynalite/db';
import { createGeneralFailure } from '../cli/failure';
import { connectDynamoDb, type Database } from '../lambda/aws/dynamodb';
import { type TableDefinition, type TableName, tableNames, tables } from '../lambda/contract/tables';
import { guardListener } from './http';

/**
 * Starts dynalite.
 * @param folder where data is kept; absent to keep it in memory
 * @param token the access key id of all callers; absent in tests
 * @param host the network interface; containers need `0.0.0.0`
 * @throws `Failure` when the folder cannot be used
 */
export async function startTables(folder?: string, token?: string, host = '127.0.0.1') {
  if (folder !== undefined) await tryTables(folder);
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, ...(folder && { path: folder }) });
  const [dynaliteListener] = server.listeners('request') as [RequestListener];
  server.removeAllListeners('request').on('request', guardListener(dynaliteListener, token));
  server.listen(0, host);
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (folder !== undefined) {
    // dynalite opens its store at the first request. Until then another process could open it.
    const { client } = connectDatabase(endpoint, token);
    await client.send(new ListTablesCommand({}));
    client.destroy();
  }
  return { endpoint, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** Opens and closes the store, because dynalite does not explain why a store cannot be opened. */
async function tryTables(folder: string): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { db: store } = createStore({ path: folder });
    await store.open();
    await store.close();
  } catch (error) {
    let cause = error as NodeJS.ErrnoException;
    while (cause.cause) cause = cause.cause as NodeJS.ErrnoException;
    throw createGeneralFailure(
      cause.code === 'LEVEL_LOCKED'
        ? `The data folder ${folder} is in use by another process. Name another one with --data, or keep nothing with --memory.`
        : `The tables in ${folder} cannot be used: ${cause.message.split('\n')[0]}`,
    );
  }
}

/** Connects to dynalite as functions connect to their tables. */
export function connectDatabase(endpoint: string, token = 'local'): Database {
  return connectDynamoDb({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: token, secretAccessKey: 'local' },
  });
}

/** Creates the missing tables of the contract, and returns their names. */
export async function createTables(client: DynamoDBClient): Promise<Readonly<Record<TableName, string>>> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const TableName of tableNames) {
    if (TableNames.includes(TableName)) continue;
    await client.send(makeCreateTableCommand(TableName, tables[TableName]));
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 1 }, { TableName });
  }
  return Object.fromEntries(tableNames.map((name) => [name, name])) as Record<TableName, string>;
}

/** Deletes all items of a table. */
export async function forgetItems(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ProjectionExpression: 'pk' }))
    for (const { pk } of Items) await client.send(new DeleteCommand({ TableName, Key: { pk } }));
}

function makeCreateTableCommand(TableName: string, { indexes }: TableDefinition): CreateTableCommand {
  const names = new Set(['pk']);
  const makeKeySchema = (...attributes: readonly (string | undefined)[]) =>
    attributes.flatMap((AttributeName, i) =>
      AttributeName === undefined ? [] : [{ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' } as const],
    );
  const GlobalSecondaryIndexes = indexes.map(({ name, partitionKey: hash, sortKey: range, keysOnly }) => {
    for (const key of [hash, range]) if (key) names.add(key);
    const Projection = { ProjectionType: keysOnly ? 'KEYS_ONLY' : 'ALL' } as const;
    return { IndexName: name, KeySchema: makeKeySchema(hash, range), Projection };
  });
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: makeKeySchema('pk'),
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes }),
  });
}
