/** Asks AWS Secrets Manager; imported on first need, as it brings the SDK's client. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsConnectionTimeoutMs, secretTimeoutMs } from '../../contract/timeouts';

/** The text of a secret, or `undefined` when it holds none. @throws when there is none, or no answer in time. */
export type FetchSecret = (secretId: string) => Promise<string | undefined>;

/** Two attempts for each secret, both within `secretTimeoutMs`. */
export function connectSecretsManager(): FetchSecret {
  const client = new SecretsManagerClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: awsConnectionTimeoutMs },
  });
  return async (SecretId) => {
    const options = { abortSignal: AbortSignal.timeout(secretTimeoutMs) };
    return (await client.send(new GetSecretValueCommand({ SecretId }), options)).SecretString;
  };
}
