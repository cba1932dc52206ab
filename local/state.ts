/** What the local service keeps for itself among its tables: its secrets and its demo keys, made on the first start. */

import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { newCredentials, newSigningKey } from '../lib/key-maker/certificates';
import type { DemoKeys } from './demo-keys';

/** Secrets and keys, as texts. */
export interface LocalState {
  /** Key of the hash of IP addresses. */
  readonly addressSecret: string;
  readonly signerSecret: string;
  /** P-256 private key (PEM) that signs URLs of private images. */
  readonly signingKey: string;
  /** Private key and certificate that sign AI images, as PEM. */
  readonly contentCredentials: string;
  readonly demoKeys?: DemoKeys;
  /** The URLs that cached answers hold: the service's own, and those of providers by their names, as they were the last time. */
  readonly url?: string;
  readonly endpoints: Readonly<Record<string, string>>;
}

const pk = 'LOCAL';

/** The state of a table, or a new one. */
export async function readState(client: DynamoDBDocumentClient, TableName: string): Promise<LocalState> {
  const { Item } = await client.send(new GetCommand({ TableName, Key: { pk } }));
  return (Item as LocalState | undefined) ?? newState();
}

/** A state with secrets of its own. */
export async function newState(): Promise<LocalState> {
  return {
    addressSecret: randomBytes(32).toString('hex'),
    signerSecret: randomBytes(32).toString('hex'),
    signingKey: newSigningKey(),
    contentCredentials: await newCredentials(Date.now()),
    endpoints: {},
  };
}

/** Keeps it for the next start. */
export async function writeState(
  client: DynamoDBDocumentClient,
  TableName: string,
  state: LocalState,
): Promise<void> {
  await client.send(new PutCommand({ TableName, Item: { ...state, pk } }));
}
