/** Reads AWS Secrets Manager; imported on first need, as it brings a client of the SDK. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Outage } from '../../base/outage';
import { clientDefaults } from '../agent';

/** Reads the text of a secret, by two attempts. @throws when there is none; `Outage` for no answer in time */
export function connectSecretsManager() {
  const client = new SecretsManagerClient({ ...clientDefaults(), maxAttempts: 2 });
  return async (SecretId: string, abortSignal: AbortSignal): Promise<string> => {
    const command = new GetSecretValueCommand({ SecretId });
    const { SecretString } = await client.send(command, { abortSignal }).catch((cause: unknown) => {
      throw abortSignal.aborted ? new Outage('Secrets Manager did not answer in time', { cause }) : cause;
    });
    if (SecretString === undefined) throw new Error(`The secret ${SecretId} holds no text`);
    return SecretString;
  };
}
