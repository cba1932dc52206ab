/** Wires what works for several resources while the stack is deployed: keys in Secrets Manager, files in S3. */

import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { customResource } from '../custom-resource';
import { makeSigningKey } from './make-signing-key';
import { type FileBucket, publishedFilesType, publishFiles } from './publish-files';

const secrets = new SecretsManagerClient({ maxAttempts: 3 });
const s3 = new S3Client({ maxAttempts: 3 });

const makeKey = makeSigningKey({
  read: async (SecretId) => (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString,
  write: async (SecretId, SecretString) => {
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  },
});

const CacheControl = 'public, max-age=31536000, immutable';
const files: FileBucket = {
  async put(Bucket, Key, Body, ContentType) {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl }));
  },
  async remove(Bucket, Key) {
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  },
};
const publish = publishFiles(files, process.env['LAMBDA_TASK_ROOT'] ?? '');

/** Called by CloudFormation for each version of a key, whose attributes hold no private key, and for the files. */
export const handler = customResource('signing-key-pair', (event) =>
  event.ResourceType === `Custom::${publishedFilesType}` ? publish(event) : makeKey(event),
);
