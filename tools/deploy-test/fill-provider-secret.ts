/** Fills in the keys of stock providers, as an operator does once after the first deployment. */

import { CloudFormationClient, DescribeStackResourceCommand } from '@aws-sdk/client-cloudformation';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

async function main([StackName = '']: readonly string[]): Promise<void> {
  const resource = new DescribeStackResourceCommand({ StackName, LogicalResourceId: 'ProviderSecret' });
  const { StackResourceDetail } = await new CloudFormationClient().send(resource);
  const SecretId = StackResourceDetail?.PhysicalResourceId;
  const SecretString = JSON.stringify({ unsplash: 'key-for-the-fakeProvider' });
  await new SecretsManagerClient().send(new PutSecretValueCommand({ SecretId, SecretString }));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
