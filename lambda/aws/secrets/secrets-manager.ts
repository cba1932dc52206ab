/** Asks AWS Secrets Manager; imported on first need, as it brings the SDK's client. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientDefaults } from '../agent';

/** The client, by two attempts a call. */
export function connectSecretsManager(): SecretsManagerClient {
  return new SecretsManagerClient({ ...clientDefaults(), maxAttempts: 2 });
}

/** The text of a secret, or `undefined` when it holds none. @throws when there is none, or no answer in time */
export async function fetchSecret(
  client: SecretsManagerClient,
  SecretId: string,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  return (await client.send(new GetSecretValueCommand({ SecretId }), { abortSignal })).SecretString;
}
