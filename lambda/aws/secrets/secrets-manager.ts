/** The client of AWS Secrets Manager, which is loaded on first need. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Outage } from '../../base/outage';
import { clientDefaults } from '../agent';
import { readCallFailure } from '../errors';

/** Makes a reader of secrets, which throws where there is none, and `Outage` where nothing answers. */
export function connectSecretsManager() {
  const client = new SecretsManagerClient({ ...clientDefaults(), maxAttempts: 2 });
  return async (SecretId: string, abortSignal: AbortSignal): Promise<string> => {
    const command = new GetSecretValueCommand({ SecretId });
    const { SecretString } = await client.send(command, { abortSignal }).catch((cause: unknown) => {
      const isRefused = readCallFailure(cause) === 'rejected';
      throw isRefused ? cause : new Outage('Secrets Manager did not answer', { cause });
    });
    if (SecretString === undefined) throw new Error(`The secret ${SecretId} holds no text`);
    return SecretString;
  };
}
