/** Wires the key maker to Secrets Manager. */

import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { customResource } from '../custom-resource';
import { makeSigningKey } from './make-signing-key';

const client = new SecretsManagerClient({ maxAttempts: 3 });

/** Called by CloudFormation for each version of a key; the attributes of the resource hold no private key. */
export const handler = customResource(
  'signing-key-pair',
  makeSigningKey({
    read: async (SecretId) => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString,
    write: async (SecretId, SecretString) => {
      await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
    },
  }),
);
