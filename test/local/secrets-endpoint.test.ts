/** The local Secrets Manager, read with the AWS SDK. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretsEndpoint } from '../../local/aws';
import { type Loopback, listenOnLoopback } from '../fakes/loopback';

describe('the local Secrets Manager', () => {
  let loopback: Loopback;
  let client: SecretsManagerClient;
  const secrets = new Map([['local/signing-key', 'a key\nof two lines']]);
  beforeAll(async () => {
    loopback = await listenOnLoopback(createSecretsEndpoint((id) => secrets.get(id)));
    client = new SecretsManagerClient({
      endpoint: loopback.address,
      region: 'us-east-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
  });
  afterAll(async () => {
    client.destroy();
    await loopback.stop();
  });
  const read = (SecretId: string) => client.send(new GetSecretValueCommand({ SecretId }));

  it('gives the value of a secret, and the new one after a change', async () => {
    expect((await read('local/signing-key')).SecretString).toBe('a key\nof two lines');
    secrets.set('local/signing-key', 'another');
    expect((await read('local/signing-key')).SecretString).toBe('another');
  });

  it('answers an unknown secret as AWS does', async () => {
    await expect(read('nothing')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('does nothing else', async () => {
    const answer = await fetch(loopback.address, {
      method: 'POST',
      headers: { 'x-amz-target': 'secretsmanager.PutSecretValue' },
      body: '{}',
    });
    expect([answer.status, await answer.json()]).toEqual([400, { __type: 'UnknownOperationException' }]);
  });
});
