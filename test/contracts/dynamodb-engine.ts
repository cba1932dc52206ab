/** The DynamoDB engine that a contract suite runs on: embedded, or any other named by DYNAMODB_ENDPOINT. */

import { randomBytes } from 'node:crypto';
import type { Database } from '../../lambda/aws/dynamodb';
import type { DynamoDbTransport } from '../../lambda/aws/dynamodb/transport';
import type { TableName } from '../../lambda/contract/tables';
import { createTables } from '../../local/engine/create-tables';
import {
  connect,
  connectDatabase,
  connectTransport,
  startEmbeddedDynamoDb,
} from '../../local/engine/embedded-dynamodb';

export interface Engine {
  readonly name: string;
  readonly endpoint: string;
  readonly client: DynamoDbTransport;
  /** The same engine as `Services` hold it. */
  readonly database: Database;
  readonly tableNames: Readonly<Record<TableName, string>>;
  stop(): Promise<void>;
}

/** Tables of their own for this start, so that suites can share one engine. */
export async function startEngine(): Promise<Engine> {
  const external = process.env['DYNAMODB_ENDPOINT'];
  const embedded = external === undefined ? await startEmbeddedDynamoDb() : undefined;
  const endpoint = external ?? (embedded?.endpoint as string);
  const raw = connect(endpoint);
  const prefix = randomBytes(4).toString('hex');
  const tableNames = await createTables(raw, (table) => `${prefix}-${table}`);
  const client = connectTransport(endpoint);
  const database = connectDatabase(endpoint);
  return {
    name: external ?? 'embedded',
    endpoint,
    client,
    database,
    tableNames,
    stop: async () => {
      client.destroy();
      database.client.destroy();
      raw.destroy();
      await embedded?.stop();
    },
  };
}
