/** The embedded DynamoDB: the wire protocol of the real one, in this process, in a folder or in memory. */

import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';

export interface EmbeddedDynamoDb {
  /** Base address, on loopback. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The data folder is in use by another process. */
export class DataFolderLocked extends Error {
  override readonly name = 'DataFolderLocked';
}

/**
 * Starts the engine.
 * @param folder where the data is kept; absent for none
 * @throws `DataFolderLocked`
 */
export async function startEmbeddedDynamoDb(folder?: string): Promise<EmbeddedDynamoDb> {
  if (folder !== undefined) await claim(folder);
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

/** dynalite opens its store on first use and crashes the process when that fails, so it is tried before. */
async function claim(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const store = new Level(folder);
  try {
    await store.open();
    await store.close();
  } catch (error) {
    throw new DataFolderLocked(`The data folder ${folder} is in use by another process.`, { cause: error });
  }
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
