/** The tables of the local service, with those emptied whose content is no longer true. */

import {
  DeleteTableCommand,
  type DynamoDBClient,
  ListTablesCommand,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { TableName } from '../../../lambda/contract/tables';
import { createTables } from './create-tables';

/** @param forgotten tables that begin empty */
export async function openTables(
  client: DynamoDBClient,
  forgotten: readonly TableName[],
): Promise<Readonly<Record<TableName, string>>> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const TableName of forgotten.filter((table) => TableNames.includes(table))) {
    await client.send(new DeleteTableCommand({ TableName }));
    await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 1 }, { TableName });
  }
  return createTables(client, (table) => table);
}
