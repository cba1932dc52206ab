/** The doctor on the emulated account: it passes a sound stack, and finds each fault that can be planted there. */

import { randomUUID } from 'node:crypto';
import { CloudFormationClient, CreateStackCommand, DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudFrontClient,
  CreateCachePolicyCommand,
  DeleteCachePolicyCommand,
} from '@aws-sdk/client-cloudfront';
import {
  CloudWatchClient,
  DisableAlarmActionsCommand,
  EnableAlarmActionsCommand,
} from '@aws-sdk/client-cloudwatch';
import {
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import {
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetTopicAttributesCommand, SetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { awsAccount } from '../../cli/doctor/account';
import type { Finding } from '../../cli/doctor/check';
import { examineAccount, examineStack } from '../../cli/doctor/examine';
import { stageOf } from '../../lib/stage';
import { readFacts } from '../../tools/deploy-test/facts';
import { runTool } from '../cli/run-tool';
import { account, askAsDoctor, faults, faultsIn } from './doctor-faults';
import { physicalId } from './physical-id';

jest.setTimeout(120_000);

const { root, stack, keys } = readFacts();

/** What fails or is warned of before another installation is deployed, by check. */
async function planned(settings: object, on = account): Promise<Readonly<Record<string, string>>> {
  const common = { installation: 'other', generator: { kind: 'sandbox' }, setsApiGatewayLogRole: false };
  const findings = await examineAccount(on, stageOf('prod', { ...common, ...settings }), Date.now());
  const found = findings.filter(({ outcome }) => outcome !== 'pass');
  return Object.fromEntries(found.map(({ check, outcome }) => [check, outcome]));
}

test('the account that holds the stack is ready for its next deployment, and for another installation', async () => {
  expect(await planned({ installation: undefined })).toEqual({});
  expect(await planned({})).toEqual({});
});

const certificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/1';
const everything = { perSecond: 10_000, burst: 10_000 };
const absentModel = { kind: 'bedrock-stability', modelId: 'stability.absent-v1:0', region: 'us-west-2' };

test.each<[string, object, object]>([
  ['a bus that there is not', { eventBus: 'absent' }, { 'event bus': 'failure' }],
  [
    'a role for logs that it would replace',
    { setsApiGatewayLogRole: true },
    { 'API Gateway log role': 'warning' },
  ],
  ['more executions than there are', { generatorConcurrency: 990 }, { 'function concurrency': 'failure' }],
  ['throttles above those of the account', { floodLimits: { everything } }, { 'API throttle': 'warning' }],
  ['a key to fill in', { slotBindings: { stock_a: 'unsplash' } }, { 'provider keys': 'warning' }],
  [
    'a model that there is not',
    { generator: absentModel },
    { 'model lifecycle': 'failure', 'model access': expect.anything() },
  ],
  [
    'a certificate and a zone that there are not',
    { apiDomain: { name: 'api.example.org', certificateArn, hostedZone: { id: 'Z0', name: 'example.org' } } },
    { 'API certificate': 'failure', 'API DNS record': 'failure' },
  ],
  [
    'a certificate of another region',
    { apiDomain: { name: 'api.example.org', certificateArn: certificateArn.replace('us-east', 'eu-west') } },
    { 'API certificate': 'failure' },
  ],
])('before a deployment, %s is found', async (_, settings, found) => {
  expect(await planned(settings)).toEqual(found);
});

test('a region that is not bootstrapped is found, with the role that nobody may take on', async () => {
  const found = await planned({}, awsAccount('eu-west-1'));
  expect(found).toMatchObject({ bootstrap: 'failure', 'deploy role': 'failure' });
});

test('an account without a distribution is told that its first one may be refused', async () => {
  const { AWS_ACCESS_KEY_ID: own } = process.env;
  process.env['AWS_ACCESS_KEY_ID'] = '111111111111';
  const found = await planned({}, awsAccount('us-east-1'));
  process.env['AWS_ACCESS_KEY_ID'] = own;
  expect(found).toMatchObject({ 'CloudFront account': 'warning' });
});

test('a DNS record that is there already, and a zone of another name, are found', async () => {
  const client = new Route53Client();
  const { HostedZone } = await client.send(
    new CreateHostedZoneCommand({ Name: 'example.org', CallerReference: randomUUID() }),
  );
  const id = HostedZone?.Id?.replace('/hostedzone/', '') ?? '';
  const ResourceRecords = [{ Value: 'x.example' }];
  const record = { Name: 'api.example.org', Type: 'CNAME' as const, TTL: 60, ResourceRecords };
  await client.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: id,
      ChangeBatch: { Changes: [{ Action: 'CREATE', ResourceRecordSet: record }] },
    }),
  );
  const domain = (name: string, zone: string) => ({
    apiDomain: { name, certificateArn, hostedZone: { id, name: zone } },
  });
  const checked = async (settings: object) => (await planned(settings))['API DNS record'];
  expect([
    await checked(domain('api.example.org', 'example.org')),
    await checked(domain('www.example.org', 'example.org')),
    await checked(domain('api.example.com', 'example.com')),
  ]).toEqual(['failure', undefined, 'failure']);
});

test('what a deleted stack has left in CloudFront is found, and quotas that are used up', async () => {
  const client = new CloudFrontClient();
  const names = [
    'ImageRedirect-other-prod-edge-us-east-1',
    ...Array.from({ length: 19 }, (_, i) => `policy-${i}`),
  ];
  const made = [];
  for (const Name of names)
    made.push(await client.send(new CreateCachePolicyCommand({ CachePolicyConfig: { Name, MinTTL: 0 } })));
  const found = await planned({ edge: true });
  for (const { CachePolicy, ETag } of made)
    await client.send(new DeleteCachePolicyCommand({ Id: CachePolicy?.Id, IfMatch: ETag }));
  expect(found).toEqual({ 'CloudFront names': 'failure', 'CloudFront quotas': 'warning' });
});

test('another stack of the same name is found', async () => {
  const client = new CloudFormationClient();
  const StackName = 'ImageRedirect-other-prod';
  const TemplateBody = JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } });
  await client.send(new CreateStackCommand({ StackName, TemplateBody }));
  const found = await planned({});
  await client.send(new DeleteStackCommand({ StackName }));
  expect(found['stack name']).toMatch(/failure|warning/);
});

test('the deployed stack passes every check, a private image with a right and a wrong signature included', async () => {
  const env = { ...(process.env as Record<string, string>), IMAGE_REDIRECT_KEY: keys.test.key };
  const { json, stderr } = await runTool(['doctor', '--stack', stack, '--json'], { cwd: root, env });
  expect([stderr, faultsIn(json<{ findings: readonly Finding[] }>().findings)]).toEqual(['', {}]);
});

/** What the doctor finds while something is wrong. */
async function foundWhile(plant: () => Promise<unknown>, mend: () => Promise<unknown>) {
  await plant();
  return faults().finally(mend);
}

test('an alarm whose actions are off is found', async () => {
  const AlarmNames = [await physicalId('ThrottlesAlarm')];
  const client = new CloudWatchClient();
  const found = await foundWhile(
    () => client.send(new DisableAlarmActionsCommand({ AlarmNames })),
    () => client.send(new EnableAlarmActionsCommand({ AlarmNames })),
  );
  expect(found).toEqual({
    alarms: `failure: aws cloudwatch enable-alarm-actions --alarm-names ${AlarmNames[0]}`,
  });
});

test('a topic that alarms may not publish to is found', async () => {
  const TopicArn = await physicalId('AlarmTopic');
  const client = new SNSClient();
  const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
  const set = (AttributeValue: string | undefined) =>
    client.send(new SetTopicAttributesCommand({ TopicArn, AttributeName: 'Policy', AttributeValue }));
  const found = await foundWhile(
    () => set(JSON.stringify({ Version: '2012-10-17', Statement: [] })),
    () => set(Attributes?.['Policy']),
  );
  expect(found).toEqual({ alarms: expect.stringMatching(/^failure: npx cdk deploy/) });
});

test('a provider key that is not set, and a secret that is being deleted, are found', async () => {
  const SecretId = await physicalId('ProviderSecret');
  const client = new SecretsManagerClient();
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  const put = (value: string | undefined) =>
    client.send(new PutSecretValueCommand({ SecretId, SecretString: value }));
  const unset = await foundWhile(
    () => put('{}'),
    () => put(SecretString),
  );
  const deleted = await foundWhile(
    () => client.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 })),
    () => client.send(new RestoreSecretCommand({ SecretId })),
  );
  expect([unset['provider keys'], deleted['secrets']]).toEqual([
    expect.stringMatching(/^failure: aws secretsmanager put-secret-value/),
    expect.stringMatching(/^failure: aws secretsmanager restore-secret/),
  ]);
});

test('a table that lost its recovery or expiry, or can be deleted, is found', async () => {
  const TableName = await physicalId('QuotaCountersTable');
  const client = new DynamoDBClient();
  const recover = (PointInTimeRecoveryEnabled: boolean) =>
    client.send(
      new UpdateContinuousBackupsCommand({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled },
      }),
    );
  const protect = (DeletionProtectionEnabled: boolean) =>
    client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled }));
  const expire = (Enabled: boolean) =>
    client.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled, AttributeName: 'ttl' } }),
    );
  const found = [];
  for (const set of [recover, expire, protect])
    found.push(
      (
        await foundWhile(
          () => set(false),
          () => set(true),
        )
      )['tables'],
    );
  expect(found).toEqual([
    expect.stringMatching(/^failure: aws dynamodb update-continuous-backups/),
    expect.stringMatching(/^failure: aws dynamodb update-time-to-live/),
    expect.stringMatching(/^warning: aws dynamodb update-table/),
  ]);
});

test('a service that answers no request for an image is found', async () => {
  const FunctionName = await physicalId('RedirectFunction');
  const client = new LambdaClient();
  const found = await foundWhile(
    () => client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 })),
    () => client.send(new DeleteFunctionConcurrencyCommand({ FunctionName })),
  );
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining(['slot stock_a', 'slot stock_b', 'slot stock_c', 'private image']),
  );
});

test('a stack that is not there is found', async () => {
  const findings = await examineStack(account, 'ImageRedirect-absent', askAsDoctor, Date.now());
  expect(findings.at(-1)).toMatchObject({ check: 'stack', outcome: 'failure' });
});

test('everything planted has been mended', async () => {
  expect(await faults()).toEqual({});
});
