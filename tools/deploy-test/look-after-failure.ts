/** Checks what a failed first deployment leaves: an empty, protected stack, and nothing that holds data. */

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

async function main([StackName = '']: readonly string[]): Promise<void> {
  const { Stacks = [] } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const { StackStatus, EnableTerminationProtection } = Stacks[0] ?? {};
  if (StackStatus !== 'ROLLBACK_COMPLETE' || EnableTerminationProtection !== true)
    throw new Error(`The failed stack is ${StackStatus}, its protection ${EnableTerminationProtection}.`);
  const [{ TableNames = [] }, { Buckets = [] }, { SecretList = [] }] = await Promise.all([
    new DynamoDBClient().send(new ListTablesCommand()),
    new S3Client({ forcePathStyle: true }).send(new ListBucketsCommand()),
    new SecretsManagerClient().send(new ListSecretsCommand()),
  ]);
  // The account was empty before; the CDK's own bucket is the only one that its bootstrap has made.
  const buckets = Buckets.map(({ Name = '' }) => Name).filter((name) => !name.startsWith('cdk-'));
  const left = [...TableNames, ...buckets, ...SecretList.map(({ Name = '' }) => Name)];
  if (left.length > 0) throw new Error(`The rollback has left ${left.join(', ')}.`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
