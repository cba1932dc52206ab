/** Makes keys and certificates for the stack, and tells CloudFormation their public parts. */

import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { APIGatewayClient, GetAccountCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { cutCertificate, derivePublicKey, makeCredentials, makeSigningKey } from './certificates';

/** The properties of the custom resource: ids of the secrets that hold keys, by version. */
export type KeyProperties = {
  readonly UrlKeys: Readonly<Record<string, string>>;
  readonly ContentKeys: Readonly<Record<string, string>>;
  /** The role that lets API Gateway write logs, for an account that has none. */
  readonly LogRole: string;
  /** A secret whose SHA-256 is wanted. */
  readonly HashedSecret?: string;
};

/** The clients, and how long to wait before API Gateway is offered a role again, in milliseconds. */
const realServices = {
  gateway: new APIGatewayClient({ maxAttempts: 5 }),
  secrets: new SecretsManagerClient({ maxAttempts: 3 }),
  rolePauseMs: 5_000,
};

export type KeyMakerServices = typeof realServices;

/** Attempts to give API Gateway a new role. It takes one only some seconds after it was made. */
const roleAttempts = 10;

/** Handles an event, and sends the response to the URL that the event names. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const body = JSON.stringify(await answerEvent(realServices, event));
  const response = await fetch(event.ResponseURL, { method: 'PUT', body, headers: { 'Content-Type': '' } });
  if (!response.ok) throw new Error(`CloudFormation did not take the response: ${response.status}`);
}

/**
 * Handles an event of CloudFormation. Never rejects, because CloudFormation would wait for the response until it
 * times out. An update or a repeated event keeps the keys, so that signed URLs stay valid. Deleting does
 * nothing: secrets follow the policy of the stack, and the role stays.
 * @returns the response for CloudFormation
 */
export async function answerEvent(services: KeyMakerServices, event: CloudFormationCustomResourceEvent) {
  const { StackId, RequestId, LogicalResourceId, RequestType, ResourceProperties } = event;
  // A new physical id would be a replacement, and CloudFormation would delete the old resource.
  const ids = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: LogicalResourceId };
  if (RequestType === 'Delete') return { ...ids, Status: 'SUCCESS' };
  try {
    const properties = ResourceProperties as unknown as KeyProperties;
    if (RequestType === 'Update') await requireKnownKey(services, properties);
    const Data = await makeKeys(services, properties);
    return { ...ids, Status: 'SUCCESS', Data };
  } catch (error) {
    return { ...ids, Status: 'FAILED', Reason: error instanceof Error ? error.message : 'unknown fault' };
  }
}

/**
 * Throws unless one of the versions has a key already. After a step of `keyVersion` from 1 to 3, for example, no
 * version has one: CloudFront would trust new keys only, and all private URLs would end at once.
 */
async function requireKnownKey(services: KeyMakerServices, { UrlKeys }: KeyProperties): Promise<void> {
  for (const id of Object.values(UrlKeys)) if (isPrivateKey(await readSecretValue(services, id))) return;
  throw new Error('keyVersion skips a version, which would end all private URLs. Raise it by one.');
}

async function makeKeys(services: KeyMakerServices, properties: KeyProperties) {
  const { UrlKeys, ContentKeys, LogRole, HashedSecret } = properties;
  await setLogRole(services, LogRole);
  const attributes: Record<string, string> = { Certificates: '' };
  for (const [version, id] of Object.entries(UrlKeys))
    attributes[`PublicKey${version}`] = derivePublicKey(await ensureKey(services, id, makeSigningKey));
  for (const id of Object.values(ContentKeys))
    attributes['Certificates'] += cutCertificate(await ensureKey(services, id, makeCredentials));
  if (HashedSecret !== undefined)
    attributes['Hash'] = hash('sha256', await readSecretValue(services, HashedSecret));
  return attributes;
}

async function setLogRole({ gateway, rolePauseMs }: KeyMakerServices, value: string): Promise<void> {
  if ((await gateway.send(new GetAccountCommand({}))).cloudwatchRoleArn) return;
  const patchOperations = [{ op: 'replace' as const, path: '/cloudwatchRoleArn', value }];
  for (let attempt = 1; ; attempt++)
    try {
      return void (await gateway.send(new UpdateAccountCommand({ patchOperations })));
    } catch (error) {
      if (attempt === roleAttempts) throw error;
      await setTimeout(rolePauseMs);
    }
}

/** Reads the key in a secret. A new secret holds another value, which is replaced by a key. */
async function ensureKey(
  services: KeyMakerServices,
  SecretId: string,
  makeKey: () => string | Promise<string>,
) {
  const secretText = await readSecretValue(services, SecretId);
  if (isPrivateKey(secretText)) return secretText;
  const SecretString = await makeKey();
  await services.secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  return SecretString;
}

const isPrivateKey = (text: string) => text.startsWith('-----BEGIN PRIVATE KEY-----');

const readSecretValue = async ({ secrets }: KeyMakerServices, SecretId: string) =>
  (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
