/** The DynamoDB engine that a contract suite runs on: embedded, or any other named by DYNAMODB_ENDPOINT. */

import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createLeanDatabase, type LeanDatabase } from '../../lambda/aws/dynamodb/lean/lean-database';
import { createSdkDatabase, type SdkDatabase } from '../../lambda/aws/dynamodb/sdk-database';
import { type DynamoDbTransport, dynamoDbTransports } from '../../lambda/contract/environment';
import type { TableName } from '../../lambda/contract/tables';
import { createTables } from '../../local/engine/create-tables';
import { connect, startEmbeddedDynamoDb } from '../../local/engine/embedded-dynamodb';

export interface Engine {
  readonly name: string;
  readonly endpoint: string;
  readonly client: SdkDatabase | LeanDatabase;
  readonly tableNames: Readonly<Record<TableName, string>>;
  stop(): Promise<void>;
}

/** A transport, or the lean one without a connection, which only the embedded engine takes. */
type Way = DynamoDbTransport | 'lean in process';

/** Tables of their own for this start, so that suites can share one engine. */
export async function startEngine(way: Way = 'sdk'): Promise<Engine> {
  const external = process.env['DYNAMODB_ENDPOINT'];
  const embedded = external === undefined ? await startEmbeddedDynamoDb() : undefined;
  const endpoint = external ?? (embedded?.endpoint as string);
  const raw: DynamoDBClient = connect(endpoint);
  const prefix = randomBytes(4).toString('hex');
  const tableNames = await createTables(raw, (table) => `${prefix}-${table}`);
  // The engine takes calls to its own endpoint in process; under the other name of this machine they use a connection.
  const named = way === 'lean' && embedded ? endpoint.replace('127.0.0.1', 'localhost') : endpoint;
  const client = way === 'sdk' ? createSdkDatabase(raw) : connectLean(named);
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

/** Every way to the engine: another one than the embedded has no short cut. */
const ways: readonly Way[] =
  process.env['DYNAMODB_ENDPOINT'] === undefined
    ? [...dynamoDbTransports, 'lean in process']
    : dynamoDbTransports;

/** A start of tables for each way, with a name for the suite that runs on it. */
export const transports: readonly (readonly [string, () => Promise<Engine>])[] = ways.map((way) => [
  `DynamoDB over ${way}`,
  () => startEngine(way),
]);

function connectLean(endpoint: string): LeanDatabase {
  return createLeanDatabase({
    region: 'local',
    endpoint: new URL(endpoint),
    credentials: async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }),
    nowMs: Date.now,
  });
}
