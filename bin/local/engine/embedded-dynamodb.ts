/** The embedded DynamoDB: the wire protocol of the real one, in this process, in a folder or in memory. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { tryTables } from './data-folder';

export interface EmbeddedDynamoDb {
  /** Base URL, on loopback. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts the engine.
 * @param folder where the data is kept; absent for none
 * @throws `Failure` when it cannot be used
 */
export async function startEmbeddedDynamoDb(folder?: string): Promise<EmbeddedDynamoDb> {
  if (folder !== undefined) await tryTables(folder);
  const server = dynalite({
    createTableMs: 0,
    deleteTableMs: 0,
    ...(folder === undefined ? {} : { path: folder }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** A client of the embedded engine, which accepts any credentials. */
export function connect(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
}
