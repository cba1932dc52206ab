/** The tables that a contract suite runs on: in memory, embedded, or any engine named by DYNAMODB_ENDPOINT. */

import type { TableName } from '../../lambda/contract/tables';
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
  [
    'DynamoDB',
    async () => {
      const { client, tableNames, stop } = await startEngine();
      // Without the adapters' deadlines, which are real time: how busy this machine is decides nothing.
      const send = (command: unknown) => client.send(command as Parameters<typeof client.send>[0]);
      return { client: { send }, tableNames, stop };
    },
  ],
];
