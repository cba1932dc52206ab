/** Connects a function to DynamoDB by the transport that its operator has chosen, and opens its connections at the start. */

import { lazily } from '../../base/lazily';
import type { DynamoDbTransport } from '../../contract/environment';
import { warmUpTimeoutMs } from '../../contract/timeouts';
import type { Database } from './call';
import { GetCommand } from './commands';
import { createLeanDatabase } from './lean/lean-database';
import { credentialsOf, dynamoDbPlaceIn, type Environment, keepCredentials } from './lean/plain-environment';

/**
 * `lean` where the environment says in full where DynamoDB is; the SDK, loaded with the first call, where the operator
 * has chosen it or only its rules lead to the right endpoint.
 */
export function createDatabase(
  transport: DynamoDbTransport,
  environment: Environment,
  nowMs: () => number,
): Database {
  const place = transport === 'lean' ? dynamoDbPlaceIn(environment) : undefined;
  if (place) {
    const credentials = keepCredentials(credentialsOf(environment), nowMs);
    return createLeanDatabase({ ...place, credentials, nowMs });
  }
  const load = lazily(async () => (await import('./sdk-database')).createSdkDatabase());
  return { send: async (command, options) => (await load()).send(command, options) };
}

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
