/** The tables that tests of adapters run on. */

import type { TableName } from '../../lambda/contract/tables';
import type { Client as Database } from '../fakes/client';
import { startEngine } from './dynamodb-engine';

export interface TablesUnderTest {
  readonly client: Database;
  readonly tableNames: Readonly<Record<TableName, string>>;
  stop(): Promise<void>;
}

/** Of an embedded engine. */
export async function startTables(): Promise<TablesUnderTest> {
  const { client, tableNames, stop } = await startEngine();
  // Without the adapters' deadlines, which are real time: how busy this machine is decides nothing.
  return { client: { send: client.send.bind(client) }, tableNames, stop };
}
