/** Notes what a stack keeps when it is destroyed, in the form in which `cdk import` takes it back. */

import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { stackName } from './cloud';

/** The name under which CloudFormation asks for a resource of a type. */
const identifierOf: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
};

/** Not taken back: a new CDN has other URLs than the cached answers name. */
const leftBehind = 'LookupCacheTable';

/** Logical id → the identifier of the resource in the account. */
export async function keptResources(
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const client = new CloudFormationClient({
    region: env['AWS_REGION'] ?? '',
    endpoint: env['AWS_ENDPOINT_URL'] ?? '',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const { StackResources = [] } = await client.send(
    new DescribeStackResourcesCommand({ StackName: stackName }),
  );
  client.destroy();
  return Object.fromEntries(
    StackResources.flatMap(({ LogicalResourceId = '', ResourceType = '', PhysicalResourceId = '' }) => {
      const identifier = identifierOf[ResourceType];
      return identifier === undefined || LogicalResourceId === leftBehind
        ? []
        : [[LogicalResourceId, { [identifier]: PhysicalResourceId }]];
    }),
  );
}
