/** Says which resources of a stack hold data, in the form in which `cdk import` takes them back when they were kept. */

import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';

/** The name under which CloudFormation asks for a resource of a type. */
const identifierOf: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
};

/** Deleted with its stack, in every stage. */
const leftBehind = 'CacheTable';

/** Prints JSON: logical id → the identifier of the resource in the account. */
async function main([StackName = '']: readonly string[]): Promise<void> {
  const resources: StackResourceSummary[] = [];
  const pages = paginateListStackResources({ client: new CloudFormationClient() }, { StackName });
  for await (const { StackResourceSummaries = [] } of pages) resources.push(...StackResourceSummaries);
  const kept = resources.flatMap(({ LogicalResourceId = '', ResourceType = '', PhysicalResourceId = '' }) => {
    const identifier = identifierOf[ResourceType];
    return identifier === undefined || LogicalResourceId === leftBehind
      ? []
      : [[LogicalResourceId, { [identifier]: PhysicalResourceId }]];
  });
  console.log(JSON.stringify(Object.fromEntries(kept)));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
