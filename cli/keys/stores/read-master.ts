/** Reads the secret from which the secrets of signers are derived, when a signer is made. */

import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { awsConnectionTimeoutMs, secretTimeoutMs } from '../../../lambda/contract/timeouts';
import { exitCodes, Failure } from '../../failure';

/** @throws `Failure` where the service has none, and what the SDK throws */
export async function readMaster(
  secretId: string | undefined,
  client: SecretsManagerClientConfig,
): Promise<string> {
  if (secretId === undefined)
    throw new Failure(
      exitCodes.failed,
      'The deployed version does not support signers yet. Deploy a newer one first.',
    );
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const manager = new SecretsManagerClient({
    ...client,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: awsConnectionTimeoutMs },
  });
  try {
    const options = { abortSignal: AbortSignal.timeout(secretTimeoutMs) };
    const { SecretString } = await manager.send(new GetSecretValueCommand({ SecretId: secretId }), options);
    if (!SecretString) throw new Failure(exitCodes.failed, 'The secret of the signers is empty.');
    return SecretString;
  } finally {
    manager.destroy();
  }
}
