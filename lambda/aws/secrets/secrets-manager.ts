/** The client of AWS Secrets Manager, which is loaded on first need. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Outage } from '../../base/outage';
import { clientDefaults } from '../agent';

/** Makes a reader of secrets, which throws where there is none, and `Outage` where no answer comes in time. */
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
