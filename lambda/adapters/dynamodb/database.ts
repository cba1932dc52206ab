/** Connects a function to DynamoDB by the transport that its operator has chosen. */

import { lazily } from '../../async/lazily';
import type { DynamoDbTransport } from '../../contract/environment';
import type { Database } from './call';
import { credentialsOf, keepCredentials } from './lean/credentials';
import { createLeanDatabase } from './lean/lean-database';
import { dynamoDbPlaceIn, type Environment } from './lean/plain-environment';

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
