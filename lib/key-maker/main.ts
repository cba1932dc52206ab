/** Wires what works while the stack is deployed to AWS. */

import { APIGatewayClient, GetAccountCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { answerCloudFormation } from './answer-cloudformation';
import { makeKeys } from './keys';
import { publishFiles } from './public-files';

const gateway = new APIGatewayClient({ maxAttempts: 5 });
const s3 = new S3Client({ maxAttempts: 3 });
const secrets = new SecretsManagerClient({ maxAttempts: 3 });

/** API Gateway takes a role only some seconds after it was made. */
const roleAttempts = 10;
const rolePauseMs = 5_000;
const CacheControl = 'public, max-age=31536000, immutable';

/** Called by CloudFormation for the keys, whose attributes hold no private key, and for the files. */
export const handler = answerCloudFormation({
  Keys: makeKeys({
    readSecret: async (SecretId) =>
      (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '',
    async writeSecret(SecretId, SecretString) {
      await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
    },
    gatewayLogRole: async () => (await gateway.send(new GetAccountCommand({}))).cloudwatchRoleArn,
    async setGatewayLogRole(value) {
      const patchOperations = [{ op: 'replace' as const, path: '/cloudwatchRoleArn', value }];
      for (let attempt = 1; ; attempt++)
        try {
          return void (await gateway.send(new UpdateAccountCommand({ patchOperations })));
        } catch (error) {
          if (attempt === roleAttempts) throw error;
          await new Promise((resolve) => setTimeout(resolve, rolePauseMs));
        }
    },
  }),
  PublicFiles: publishFiles(
    {
      async put(Bucket, Key, Body, ContentType) {
        await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl }));
      },
      async somePaths(Bucket) {
        const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
        return Contents.flatMap(({ Key }) => Key ?? []);
      },
      async remove(Bucket, paths) {
        const Objects = paths.map((Key) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const { Errors = [] } = await s3.send(command);
        if (Errors.length > 0)
          throw new Error(`${Errors.length} objects could not be deleted: ${Errors[0]?.Code}`);
      },
    },
    process.env['LAMBDA_TASK_ROOT'] ?? '',
  ),
});
