/** After a stage that no longer keeps its data was destroyed: nothing of it is left, by calls that its roles allow. */

import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readFacts } from '../../tools/deploy-test/facts';
import { accessOf } from './edge';

const { deleted = {} } = readFacts();
const ids = Object.values(deleted);

test('the tables, the bucket and the secrets of the stack are gone', async () => {
  const tables = ids.flatMap(({ TableName }) => TableName ?? []);
  const buckets = ids.flatMap(({ BucketName }) => BucketName ?? []);
  const secrets = ids.flatMap(({ Id }) => Id ?? []);
  expect([tables.length, buckets.length, secrets.length]).toEqual([4, 1, expect.any(Number)]);
  expect(secrets.length).toBeGreaterThanOrEqual(4);
  const dynamoDb = new DynamoDBClient();
  for (const TableName of tables)
    await expect(dynamoDb.send(new DescribeTableCommand({ TableName }))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  const s3 = new S3Client({ forcePathStyle: true });
  for (const Bucket of buckets)
    await expect(s3.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' });
  const { SecretList = [] } = await new SecretsManagerClient().send(
    new ListSecretsCommand({ MaxResults: 100 }),
  );
  expect(SecretList.filter(({ ARN = '' }) => secrets.includes(ARN))).toEqual([]);
});

test('the role of the bucket emptier allows each of its calls', () => {
  const access = Object.values(accessOf('BucketEmptier'));
  expect(access.flatMap(({ denied }) => denied)).toEqual([]);
  expect(access.flatMap(({ allowed }) => allowed)).toEqual(
    expect.arrayContaining(['s3:GetBucketTagging', 's3:ListBucket', 's3:DeleteObject']),
  );
});
