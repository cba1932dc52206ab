/** Reads and writes the state of the local service: secrets and demo keys, made at the first start. */

import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { makeCredentials, makeSigningKey } from '../lib/key-maker/certificates';
import type { DemoAccounts } from './demo-keys';

export interface LocalState {
  /** Key for hashing IP addresses. */
  readonly addressSecret: string;
  readonly signerSecret: string;
  /** P-256 private key (PEM) that signs URLs of private images. */
  readonly signingKey: string;
  /** Private key and certificate that sign AI images, as PEM. */
  readonly contentCredentials: string;
  readonly demo?: DemoAccounts;
  /** URLs of the last start, of the service and of providers by name. Stored answers contain them. */
  readonly url?: string;
  readonly endpoints: Readonly<Record<string, string>>;
}

const pk = 'LOCAL';

/** Reads the state, or creates one. */
export async function readState(client: DynamoDBDocumentClient, TableName: string): Promise<LocalState> {
  const { Item } = await client.send(new GetCommand({ TableName, Key: { pk } }));
  return (Item as LocalState | undefined) ?? createState();
}

/** Creates a state with new secrets. */
export async function createState(): Promise<LocalState> {
  return {
    addressSecret: randomBytes(32).toString('hex'),
    signerSecret: randomBytes(32).toString('hex'),
    signingKey: makeSigningKey(),
    contentCredentials: await makeCredentials(),
    endpoints: {},
  };
}

/** Keeps the state for the next start. */
export async function writeState(
  client: DynamoDBDocumentClient,
  TableName: string,
  state: LocalState,
): Promise<void> {
  await client.send(new PutCommand({ TableName, Item: { ...state, pk } }));
}
