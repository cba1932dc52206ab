/** Makes the first DynamoDB calls of a function at its start, where it has a full CPU and no request waits. */

import { warmUpTimeoutMs } from '../../contract/timeouts';
import type { Database } from './call';
import { GetCommand } from './commands';

/**
 * Reads an item that is never there, as often at once as a request calls DynamoDB at once: the first calls of a process
 * open the connections, find credentials and endpoint and compile all of the client's code, most of what a first request
 * would otherwise take. Never throws: what is wrong with the table, the first request finds out.
 */
export async function warmUp(client: Database, tableName: string, connections: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(warmUpTimeoutMs);
  const read = () =>
    client.send(new GetCommand({ TableName: tableName, Key: { pk: 'none' } }), { abortSignal });
  await Promise.allSettled(Array.from({ length: connections }, read));
}
