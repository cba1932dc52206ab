/** The tables that a contract suite runs on: in memory, embedded, or any engine named by DYNAMODB_ENDPOINT. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import type { TableName } from '../../lambda/contract/tables';
import { createMemoryDynamoDb } from '../simulation/memory-dynamodb';
import { startEngine } from './dynamodb-engine';

export interface TablesUnderTest {
  readonly client: Database;
  readonly tableNames: Readonly<Record<TableName, string>>;
  stop(): Promise<void>;
}

export const engines: readonly (readonly [string, () => Promise<TablesUnderTest>])[] = [
  [
    'in memory',
    async () => {
      const { send, tableNames } = createMemoryDynamoDb();
      return { client: { send }, tableNames, stop: async () => undefined };
    },
  ],
  [
    'DynamoDB',
    async () => {
      const { client, tableNames, stop } = await startEngine();
      // Without the adapters' deadlines, which are real time: how busy this machine is decides nothing.
      return { client: { send: (command) => client.send(command) }, tableNames, stop };
    },
  ],
];
