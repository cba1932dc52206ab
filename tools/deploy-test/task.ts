/** Does one thing in the account as an operator would: `task.ts TASK STACK`. What it finds is printed as JSON. */

import { ACMClient, RequestCertificateCommand } from '@aws-sdk/client-acm';
import {
  CloudFormationClient,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  paginateListStackResources,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CreateEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { CreateHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import {
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

const cloudFormation = new CloudFormationClient();
const secrets = new SecretsManagerClient();

/** The name under which CloudFormation asks for a resource of a type that holds data. */
const identifierOf: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
};

/** By name, each for a stack. */
const tasks = {
  /** Lets a protected stack be destroyed, as an operator does who means it. */
  async endProtection(StackName: string) {
    const command = new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false });
    await cloudFormation.send(command);
  },

  /** Fills in a stock provider's key, once after the first deployment. */
  async fillProviderSecret(StackName: string) {
    const resource = new DescribeStackResourceCommand({ StackName, LogicalResourceId: 'ProviderSecret' });
    const { StackResourceDetail } = await cloudFormation.send(resource);
    const SecretId = StackResourceDetail?.PhysicalResourceId;
    const SecretString = JSON.stringify({ unsplash: 'key-for-the-fakeProvider' });
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  },

  /** Makes what settings name outside the stack: a zone with a certificate for its names, and an event bus. */
  async makeWorld() {
    const name = 'images.test';
    const { HostedZone } = await new Route53Client().send(
      new CreateHostedZoneCommand({ Name: name, CallerReference: name }),
    );
    const { CertificateArn: certificateArn } = await new ACMClient().send(
      new RequestCertificateCommand({ DomainName: `*.${name}`, ValidationMethod: 'DNS' }),
    );
    await new EventBridgeClient().send(new CreateEventBusCommand({ Name: 'accounts' }));
    return { certificateArn, hostedZone: { id: HostedZone?.Id?.replace('/hostedzone/', ''), name } };
  },

  /** Which resources hold data, in the form in which `cdk import` takes them: logical id → identifier in the account. */
  async keptResources(StackName: string) {
    const kept: [string, object][] = [];
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client: cloudFormation },
      { StackName },
    ))
      for (const {
        LogicalResourceId = '',
        ResourceType = '',
        PhysicalResourceId,
      } of StackResourceSummaries) {
        const identifier = identifierOf[ResourceType];
        // The cache is deleted with its stack, in every stage.
        if (identifier !== undefined && LogicalResourceId !== 'CacheTable')
          kept.push([LogicalResourceId, { [identifier]: PhysicalResourceId }]);
      }
    return Object.fromEntries(kept);
  },

  /** Checks what a failed first deployment leaves: an empty, protected stack, and nothing that holds data. */
  async lookAfterFailure(StackName: string) {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    const { StackStatus, EnableTerminationProtection } = Stacks[0] ?? {};
    if (StackStatus !== 'ROLLBACK_COMPLETE' || EnableTerminationProtection !== true)
      throw new Error(`The failed stack is ${StackStatus}, its protection ${EnableTerminationProtection}.`);
    const [{ TableNames = [] }, { Buckets = [] }, { SecretList = [] }] = await Promise.all([
      new DynamoDBClient().send(new ListTablesCommand()),
      new S3Client({ forcePathStyle: true }).send(new ListBucketsCommand()),
      secrets.send(new ListSecretsCommand()),
    ]);
    // The account was empty before; the CDK's own bucket is the only one that its bootstrap has made.
    const buckets = Buckets.map(({ Name = '' }) => Name).filter((name) => !name.startsWith('cdk-'));
    const left = [...TableNames, ...buckets, ...SecretList.map(({ Name = '' }) => Name)];
    if (left.length > 0) throw new Error(`The rollback has left ${left.join(', ')}.`);
  },
} satisfies Readonly<Record<string, (stack: string) => Promise<unknown>>>;

/** A task by its name. */
export type TaskName = keyof typeof tasks;

const [task = '', stack = ''] = process.argv.slice(2);
tasks[task as TaskName](stack).then(
  (found) => console.log(JSON.stringify(found ?? null)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
