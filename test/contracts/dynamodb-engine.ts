/** The DynamoDB engine that a contract suite runs on: embedded, or any other named by DYNAMODB_ENDPOINT. */

import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTables } from '../../bin/local/engine/create-tables';
import { connect, startEmbeddedDynamoDb } from '../../bin/local/engine/embedded-dynamodb';
import { createLeanDatabase, type LeanDatabase } from '../../lambda/adapters/dynamodb/lean/lean-database';
import { createSdkDatabase, type SdkDatabase } from '../../lambda/adapters/dynamodb/sdk-database';
import { type DynamoDbTransport, dynamoDbTransports } from '../../lambda/contract/environment';
import type { TableName } from '../../lambda/contract/tables';

export interface Engine {
  readonly name: string;
  readonly endpoint: string;
  readonly client: SdkDatabase | LeanDatabase;
  readonly tableNames: Readonly<Record<TableName, string>>;
  stop(): Promise<void>;
}

/** Tables of their own for this start, so that suites can share one engine. */
export async function startEngine(transport: DynamoDbTransport = 'sdk'): Promise<Engine> {
  const external = process.env['DYNAMODB_ENDPOINT'];
  const embedded = external === undefined ? await startEmbeddedDynamoDb() : undefined;
  const endpoint = external ?? (embedded?.endpoint as string);
  const raw: DynamoDBClient = connect(endpoint);
  const prefix = randomBytes(4).toString('hex');
  const tableNames = await createTables(raw, (table) => `${prefix}-${table}`);
  const client = transport === 'sdk' ? createSdkDatabase(raw) : connectLean(endpoint);
  return {
    name: external ?? 'embedded',
    endpoint,
    client,
    tableNames,
    stop: async () => {
      client.destroy();
      raw.destroy();
      await embedded?.stop();
    },
  };
}

/** A start of tables for each transport, with a name for the suite that runs on it. */
export const transports: readonly (readonly [string, () => Promise<Engine>])[] = dynamoDbTransports.map(
  (transport) => [`DynamoDB over ${transport}`, () => startEngine(transport)],
);

function connectLean(endpoint: string): LeanDatabase {
  return createLeanDatabase({
    region: 'local',
    endpoint: new URL(endpoint),
    credentials: async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }),
    nowMs: Date.now,
  });
}
