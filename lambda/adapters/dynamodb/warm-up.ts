/** Makes the first DynamoDB call of a function at its start, where it has a full CPU and no request waits. */

import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { warmUpTimeoutMs } from '../../contract/timeouts';

/**
 * Reads an item that is never there: the first call of a process opens the connection, finds credentials and endpoint
 * and compiles all of the client's code, most of what a first request would otherwise take. Never throws: what is
 * wrong with the table, the first request finds out.
 */
export async function warmUp(client: Pick<DynamoDBDocumentClient, 'send'>, tableName: string): Promise<void> {
  try {
    const command = new GetCommand({ TableName: tableName, Key: { pk: 'none' } });
    await client.send(command, { abortSignal: AbortSignal.timeout(warmUpTimeoutMs) });
  } catch {
    // The function works without.
  }
}
