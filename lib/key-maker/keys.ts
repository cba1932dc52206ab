/** The custom resource behind keys: makes each key pair once, with a certificate where one is needed, and answers with what is public. */

import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type APIGatewayClient, GetAccountCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { certificateIn, newCredentials, newSigningKey, publicKeyOf } from './certificates';

/** What CloudFormation is told of the keys: the ids of secrets, by version. */
export type KeyProperties = {
  readonly UrlKeys: Readonly<Record<string, string>>;
  readonly ContentKeys: Readonly<Record<string, string>>;
  /** Role by which API Gateway writes logs, for an account that has none. */
  readonly LogRole: string;
  /** A secret whose SHA-256 is wanted. */
  readonly HashedSecret?: string;
};

/** The clients, and the milliseconds after which a role is tried again. */
export interface KeyServices {
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  readonly gateway: Pick<APIGatewayClient, 'send'>;
  readonly rolePauseMs: number;
}

/** API Gateway takes a role only some seconds after it was made. */
const roleAttempts = 10;

/**
 * What CloudFormation is answered: always an outcome, so that it never waits until its time-out. Asked twice, the keys are
 * the same, so that an update or a repeated call never makes URLs invalid that were given out. Deleting does nothing:
 * secrets go, or stay, with the stack's own policy, and the role stays.
 */
export async function answerOf(
  services: KeyServices,
  event: CloudFormationCustomResourceEvent,
): Promise<object> {
  const { StackId, RequestId, LogicalResourceId, RequestType, ResourceProperties } = event;
  // The physical id never changes, so that an update is never taken for a replacement.
  const about = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: LogicalResourceId };
  if (RequestType === 'Delete') return { ...about, Status: 'SUCCESS' };
  try {
    const Data = await makeKeys(services, ResourceProperties as unknown as KeyProperties);
    return { ...about, Status: 'SUCCESS', Data };
  } catch (error) {
    return { ...about, Status: 'FAILED', Reason: error instanceof Error ? error.message : 'unknown fault' };
  }
}

async function makeKeys(
  services: KeyServices,
  { UrlKeys, ContentKeys, LogRole, HashedSecret }: KeyProperties,
) {
  await setLogRole(services, LogRole);
  const attributes: Record<string, string> = { Certificates: '' };
  for (const [version, id] of Object.entries(UrlKeys))
    attributes[`PublicKey${version}`] = publicKeyOf(await keyIn(services, id, async () => newSigningKey()));
  for (const id of Object.values(ContentKeys))
    attributes['Certificates'] += certificateIn(await keyIn(services, id, () => newCredentials(Date.now())));
  if (HashedSecret !== undefined)
    attributes['Hash'] = createHash('sha256')
      .update(await read(services, HashedSecret))
      .digest('hex');
  return attributes;
}

async function setLogRole({ gateway, rolePauseMs }: KeyServices, value: string): Promise<void> {
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

/** The key in a secret; a value that is none is what the secret was made with, and is replaced. */
async function keyIn(services: KeyServices, SecretId: string, make: () => Promise<string>): Promise<string> {
  const kept = await read(services, SecretId);
  if (kept.startsWith('-----BEGIN PRIVATE KEY-----')) return kept;
  const SecretString = await make();
  await services.secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  return SecretString;
}

const read = async ({ secrets }: KeyServices, SecretId: string) =>
  (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
