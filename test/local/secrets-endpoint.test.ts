/** The local Secrets Manager, read with the AWS SDK. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretsEndpoint, startEmulatedAws } from '../../local/aws';
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
    const first = await read('local/signing-key');
    expect(first).toMatchObject({
      Name: 'local/signing-key',
      SecretString: 'a key\nof two lines',
      VersionStages: ['AWSCURRENT'],
    });
    secrets.set('local/signing-key', 'another');
    const second = await read('local/signing-key');
    expect(second.SecretString).toBe('another');
    expect(second.VersionId).not.toBe(first.VersionId);
  });

  it('answers an unknown secret as AWS does', async () => {
    await expect(read('nothing')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(read('')).rejects.toMatchObject({ name: 'InvalidParameterException' });
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

describe('the emulated AWS', () => {
  it('tells of invalidations and gives secrets, to who signs with the token of the start alone', async () => {
    let invalidations = 0;
    const onInvalidation = () => void invalidations++;
    const [token, onFailure] = ['the-token', () => undefined];
    const aws = await startEmulatedAws({
      functions: {},
      secret: () => 'x',
      token,
      onInvalidation,
      onFailure,
    });
    const ask = async (path: string, key: string, headers = {}) => {
      const authorization = `AWS4-HMAC-SHA256 Credential=${key}/20261121/x`;
      const body = '{"SecretId":"any"}';
      const answer = await fetch(aws.url + path, {
        method: 'POST',
        body,
        headers: { authorization, ...headers },
      });
      await answer.text();
      return answer.status;
    };
    const invalidation = '/2020-05-31/distribution/E1/invalidation';
    const target = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
    expect([await ask(invalidation, token), await ask('/', token, target)]).toEqual([201, 200]);
    expect([await ask(invalidation, 'other'), await ask('/', 'other', target)]).toEqual([403, 403]);
    expect(invalidations).toBe(1);
    await aws.stop();
  });
});
