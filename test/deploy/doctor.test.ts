/** The doctor on the emulated account: it passes a sound stack, and finds each fault that can be planted there. */

import { CloudFormationClient, DescribeStackResourceCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DisableAlarmActionsCommand,
  EnableAlarmActionsCommand,
} from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, UpdateContinuousBackupsCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetTopicAttributesCommand, SetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { examineAccount, examineStack } from '../../cli/doctor/examine';
import { stageOf } from '../../lib/stage';
import { readFacts } from '../../tools/deploy-test/facts';
import { account, askAsDoctor, faults } from './doctor-faults';

const { stack } = readFacts();

jest.setTimeout(60_000);

async function physicalId(LogicalResourceId: string): Promise<string> {
  const command = new DescribeStackResourceCommand({ StackName: stack, LogicalResourceId });
  const { StackResourceDetail } = await new CloudFormationClient().send(command);
  return StackResourceDetail?.PhysicalResourceId ?? '';
}

test('the account that holds the stack is ready for the next deployment', async () => {
  const stage = stageOf('prod', { generator: { kind: 'sandbox' } });
  const findings = await examineAccount(account, stage, Date.now());
  expect(findings.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
});

test('the deployed stack passes every check, a private image with a right and a wrong signature included', async () => {
  expect(await faults()).toEqual({});
});

test('a schedule that is off is found', async () => {
  const Name = (await physicalId('SweeperSchedule')).split('|').at(-1);
  const client = new EventBridgeClient();
  await client.send(new DisableRuleCommand({ Name }));
  const found = await faults();
  await client.send(new EnableRuleCommand({ Name }));
  expect(found).toEqual({ schedule: `failure: aws events enable-rule --name ${Name}` });
});

test('an alarm whose actions are off is found', async () => {
  const AlarmNames = [await physicalId('ThrottlesAlarm')];
  const client = new CloudWatchClient();
  await client.send(new DisableAlarmActionsCommand({ AlarmNames }));
  const found = await faults();
  await client.send(new EnableAlarmActionsCommand({ AlarmNames }));
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
  await set(JSON.stringify({ Version: '2012-10-17', Statement: [] }));
  const found = await faults();
  await set(Attributes?.['Policy']);
  expect(found).toEqual({ alarms: expect.stringMatching(/^failure: npx cdk deploy/) });
});

test('a provider key that is not set is found', async () => {
  const SecretId = await physicalId('ProviderSecret');
  const client = new SecretsManagerClient();
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: '{}' }));
  const found = await faults();
  await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  expect(found['provider keys']).toMatch(/^failure: aws secretsmanager put-secret-value/);
});

test('a table that lost its recovery, or can be deleted, is found', async () => {
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
  await recover(false);
  const unrecoverable = await faults();
  await recover(true);
  await protect(false);
  const unprotected = await faults();
  await protect(true);
  expect([unrecoverable['tables'], unprotected['tables']]).toEqual([
    expect.stringMatching(/^failure: aws dynamodb update-continuous-backups/),
    expect.stringMatching(/^warning: aws dynamodb update-table/),
  ]);
});

test('a bus, a zone and a certificate that the account does not have are found before a deployment', async () => {
  const stage = stageOf('prod', {
    generator: { kind: 'sandbox' },
    eventBus: 'absent',
    apiDomain: {
      name: 'api.example.org',
      certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/1',
      hostedZone: { id: 'Z0ABSENT', name: 'example.org' },
    },
  });
  const found = await examineAccount(account, stage, Date.now());
  const failed = found.filter(({ outcome }) => outcome === 'failure').map(({ check }) => check);
  expect(failed).toEqual(['API certificate', 'API DNS record', 'event bus']);
});

test('a stack that is not there is found', async () => {
  const findings = await examineStack(account, 'ImageRedirect-absent', askAsDoctor, Date.now());
  expect(findings.at(-1)).toMatchObject({ check: 'stack', outcome: 'failure' });
});

test('everything planted has been fixed', async () => {
  expect(await faults()).toEqual({});
});
