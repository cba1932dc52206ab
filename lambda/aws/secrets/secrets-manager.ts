/** Reads secrets from AWS Secrets Manager. This file is loaded on first need. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Outage } from '../../base/outage';
import { makeClientDefaults } from '../agent';
import { classifyCallFailure } from '../errors';

/** Connects to Secrets Manager. The reader throws if a secret does not exist, and `Outage` without an answer. */
export function connectSecretsManager() {
  const client = new SecretsManagerClient({ ...makeClientDefaults(), maxAttempts: 2 });
  return async (SecretId: string, abortSignal: AbortSignal): Promise<string> => {
    const command = new GetSecretValueCommand({ SecretId });
    const { SecretString } = await client.send(command, { abortSignal }).catch((cause: unknown) => {
      const isRefused = classifyCallFailure(cause) === 'rejected';
      throw isRefused ? cause : new Outage('Secrets Manager did not answer', { cause });
    });
    if (SecretString === undefined) throw new Error(`The secret ${SecretId} holds no text`);
    return SecretString;
  };
}
