/** The embedded DynamoDB: the wire protocol of the real one, in this process, in a folder or in memory. */

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { connectDynamoDb, type Database } from '../../lambda/aws/dynamodb';
import { sealTables, tryTables } from '../data-folder';
import { guarded } from '../http';

interface EmbeddedDynamoDb {
  /** Base URL, on loopback. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts the engine.
 * @param folder where the data is kept; absent for none
 * @param token the access key id that every caller has to sign with; absent for an engine that a test has for itself
 * @throws `Failure` when it cannot be used
 */
export async function startEmbeddedDynamoDb(folder?: string, token?: string): Promise<EmbeddedDynamoDb> {
  if (folder !== undefined) await tryTables(folder);
  const path = folder === undefined ? {} : { path: folder };
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, ...path });
  const [answer] = server.listeners('request') as [RequestListener];
  server.removeAllListeners('request').on('request', guarded(answer, token));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    async stop() {
      const error = await new Promise<Error | undefined>((resolve) => server.close(resolve));
      if (folder !== undefined && !error) sealTables(folder);
    },
  };
}

/**
 * A client of the embedded engine.
 * @param token of its start
 */
export function connect(endpoint: string, token = 'local'): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: token, secretAccessKey: 'local' },
    maxAttempts: 1,
  });
}

/**
 * The database of the functions, on the embedded engine.
 * @param token of its start
 */
export function connectDatabase(endpoint: string, token = 'local'): Database {
  return connectDynamoDb({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: token, secretAccessKey: 'local' },
  });
}
