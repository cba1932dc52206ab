/** The DynamoDB engine that a contract suite runs on: embedded, or any other named by DYNAMODB_ENDPOINT. */

import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTables } from '../../bin/local/engine/create-tables';
import { connect, startEmbeddedDynamoDb } from '../../bin/local/engine/embedded-dynamodb';
import type { TableName } from '../../lambda/contract/tables';

export interface Engine {
  readonly name: string;
  readonly endpoint: string;
  readonly client: DynamoDBDocumentClient;
  readonly tableNames: Readonly<Record<TableName, string>>;
  stop(): Promise<void>;
}

/** Tables of their own for this start, so that suites can share one engine. */
export async function startEngine(): Promise<Engine> {
  const external = process.env['DYNAMODB_ENDPOINT'];
  const embedded = external === undefined ? await startEmbeddedDynamoDb() : undefined;
  const endpoint = external ?? (embedded?.endpoint as string);
  const raw: DynamoDBClient = connect(endpoint);
  const prefix = randomBytes(4).toString('hex');
  const tableNames = await createTables(raw, (table) => `${prefix}-${table}`);
  const client = DynamoDBDocumentClient.from(raw, { marshallOptions: { removeUndefinedValues: true } });
  return {
    name: external ?? 'embedded',
    endpoint,
    client,
    tableNames,
    stop: async () => {
      client.destroy();
      await embedded?.stop();
    },
  };
}
