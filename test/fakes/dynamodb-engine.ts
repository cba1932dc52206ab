/** An embedded DynamoDB with the tables of the service. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../../lambda/aws/dynamodb';
import type { TableName } from '../../lambda/contract/tables';
import { connectDatabase, createTables, startTables } from '../../local/tables';

export interface Engine {
  readonly endpoint: string;
  readonly client: DynamoDBDocumentClient;
  /** The same engine as `Services` hold it. */
  readonly database: Database;
  readonly tableNames: Readonly<Record<TableName, string>>;
  stop(): Promise<void>;
}

/** Starts an engine of its own. */
export async function startEngine(): Promise<Engine> {
  const { endpoint, stop } = await startTables();
  const database = connectDatabase(endpoint);
  const { client } = database;
  const tableNames = await createTables(client, (table) => `test-${table}`);
  return {
    endpoint,
    client,
    database,
    tableNames,
    stop: async () => {
      client.destroy();
      await stop();
    },
  };
}
