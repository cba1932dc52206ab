/** The tables that a contract suite runs on: in memory, embedded, or any engine named by DYNAMODB_ENDPOINT. */

import type { TableName } from '../../lambda/contract';
import { createMemoryDynamoDb } from '../simulation/dynamodb/memory-dynamodb';
import { startEngine } from './dynamodb-engine';

export interface TablesUnderTest {
  readonly client: { send(command: unknown): Promise<unknown> };
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
  ['DynamoDB', async () => (await startEngine()) as unknown as TablesUnderTest],
];
