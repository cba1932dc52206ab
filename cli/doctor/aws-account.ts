/** Reads an AWS account through the SDK: each call has a deadline and two attempts. */

import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { BedrockClient, GetFoundationModelAvailabilityCommand } from '@aws-sdk/client-bedrock';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  CloudFrontClient,
  ListKeyGroupsCommand,
  ListOriginAccessControlsCommand,
  ListPublicKeysCommand,
  ListResponseHeadersPoliciesCommand,
} from '@aws-sdk/client-cloudfront';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeRuleCommand,
  EventBridgeClient,
  ListTargetsByRuleCommand,
} from '@aws-sdk/client-eventbridge';
import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetTopicAttributesCommand, paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { createSdkDatabase } from '../../lambda/aws/dynamodb/sdk-database';
import { createLogTelemetry } from '../../lambda/aws/telemetry/log-telemetry';
import { connectBedrock, createReadLifecycle } from '../../lambda/generation/models/bedrock/lifecycle';
import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import { requestHandler } from '../service';
import type { Account } from './account';

const maxAttempts = 2;

/** Names that CloudWatch and CloudFront give at once. */
const alarmsMax = 100;
const cdnItemsMax = 100;

/** What a counter has to say about itself is a finding of the service, not of the doctor. */
const silent = createLogTelemetry({ functionName: 'doctor', write: () => undefined, nowMs: Date.now });

/** The region is found as the CDK finds it: it has to be named. */
export function awsAccount(region: string | undefined): Account {
  const settings = (each = region) => ({
    ...(each === undefined ? {} : { region: each }),
    maxAttempts,
    requestHandler,
  });
  const cloudFormation = new CloudFormationClient(settings());
  const secretsManager = new SecretsManagerClient(settings());
  return {
    region,
    async accountId() {
      const { Account = '' } = await new STSClient(settings()).send(new GetCallerIdentityCommand());
      return Account;
    },
    async functionLimits() {
      const { AccountLimit } = await new LambdaClient(settings()).send(new GetAccountSettingsCommand());
      const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = 0 } = AccountLimit ?? {};
      return { concurrent: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions };
    },
    async gatewayLogRole() {
      const { cloudwatchRoleArn } = await new APIGatewayClient(settings()).send(new GetAccountCommand());
      return cloudwatchRoleArn || undefined;
    },
    modelLifecycle: (modelId, modelRegion, nowMs) =>
      createReadLifecycle(connectBedrock(modelRegion))(modelId, nowMs),
    async modelAvailability(modelId, modelRegion) {
      const client = new BedrockClient(settings(modelRegion));
      const answer = await client.send(new GetFoundationModelAvailabilityCommand({ modelId }));
      return {
        isAuthorized: answer.authorizationStatus === 'AUTHORIZED',
        isInRegion: answer.regionAvailability === 'AVAILABLE',
        isEntitled: answer.entitlementAvailability === 'AVAILABLE',
        isAgreed: answer.agreementAvailability?.status === 'AVAILABLE',
      };
    },
    async certificate(arn) {
      const client = new ACMClient(settings(arn.split(':')[3]));
      const answer = await client
        .send(new DescribeCertificateCommand({ CertificateArn: arn }))
        .catch(absentIf('ResourceNotFoundException'));
      const found = answer?.Certificate;
      if (!found) return undefined;
      return {
        status: found.Status ?? '',
        names: [found.DomainName ?? '', ...(found.SubjectAlternativeNames ?? [])],
        ...(found.NotAfter ? { endsMs: found.NotAfter.getTime() } : {}),
      };
    },
    cdnNames: () => readCdnNames(new CloudFrontClient(settings())),
    async stack(StackName) {
      // CloudFormation has no name of its own for a missing stack.
      const answer = await cloudFormation
        .send(new DescribeStacksCommand({ StackName }))
        .catch((error: Error) => {
          if (/ does not exist$/.test(error.message)) return undefined;
          throw error;
        });
      const found = answer?.Stacks?.[0];
      if (!found) return undefined;
      const outputs = (found.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [
        OutputKey,
        OutputValue,
      ]);
      return { status: found.StackStatus ?? '', outputs: Object.fromEntries(outputs) };
    },
    async resources(StackName) {
      const found = [];
      for await (const { StackResourceSummaries = [] } of paginateListStackResources(
        { client: cloudFormation },
        { StackName },
      ))
        for (const {
          ResourceType = '',
          LogicalResourceId = '',
          PhysicalResourceId = '',
        } of StackResourceSummaries)
          found.push({ type: ResourceType, logicalId: LogicalResourceId, physicalId: PhysicalResourceId });
      return found;
    },
    async alarms(names) {
      const { MetricAlarms = [] } = await new CloudWatchClient(settings()).send(
        new DescribeAlarmsCommand({ AlarmNames: [...names], MaxRecords: alarmsMax }),
      );
      return MetricAlarms.map(({ AlarmName = '', ActionsEnabled = true, AlarmActions = [] }) => ({
        name: AlarmName,
        isEnabled: ActionsEnabled,
        actions: AlarmActions,
      }));
    },
    async topic(TopicArn) {
      const client = new SNSClient(settings());
      const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
      const arns = [];
      for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn }))
        arns.push(...Subscriptions.map(({ SubscriptionArn = '' }) => SubscriptionArn));
      const confirmed = arns.filter((arn) => arn.startsWith('arn:')).length;
      return { policy: Attributes?.['Policy'] ?? '{}', confirmed, pending: arns.length - confirmed };
    },
    async rule(Name) {
      const client = new EventBridgeClient(settings());
      const [{ State }, { Targets = [] }] = await Promise.all([
        client.send(new DescribeRuleCommand({ Name })),
        client.send(new ListTargetsByRuleCommand({ Rule: Name })),
      ]);
      return { isEnabled: State === 'ENABLED', targets: Targets.length };
    },
    async functionVariables(FunctionName) {
      const command = new GetFunctionConfigurationCommand({ FunctionName });
      const { Environment } = await new LambdaClient(settings()).send(command);
      return Environment?.Variables ?? {};
    },
    taken(table, allowance) {
      // The adapter has its own deadlines and attempts.
      const database = createSdkDatabase(new DynamoDBClient({ ...settings(), maxAttempts: 1 }));
      return createQuotaCounters(database, table, silent).taken(allowance);
    },
    async secret(SecretId) {
      const { DeletedDate } = await secretsManager.send(new DescribeSecretCommand({ SecretId }));
      if (DeletedDate) return { isBeingDeleted: true };
      const answer = await secretsManager
        .send(new GetSecretValueCommand({ SecretId }))
        .catch(absentIf('ResourceNotFoundException'));
      return {
        isBeingDeleted: false,
        ...(answer?.SecretString === undefined ? {} : { value: answer.SecretString }),
      };
    },
  };
}

/** Turns an error of this name into `undefined`. */
function absentIf(name: string): (error: Error) => undefined {
  return (error) => {
    if (error.name !== name) throw error;
    return undefined;
  };
}

async function readCdnNames(client: CloudFrontClient): Promise<readonly string[]> {
  const MaxItems = cdnItemsMax;
  const [groups, keys, controls, policies] = await Promise.all([
    client.send(new ListKeyGroupsCommand({ MaxItems })),
    client.send(new ListPublicKeysCommand({ MaxItems })),
    client.send(new ListOriginAccessControlsCommand({ MaxItems })),
    client.send(new ListResponseHeadersPoliciesCommand({ Type: 'custom', MaxItems })),
  ]);
  return [
    ...(groups.KeyGroupList?.Items ?? []).map(({ KeyGroup }) => KeyGroup?.KeyGroupConfig?.Name),
    ...(keys.PublicKeyList?.Items ?? []).map(({ Name }) => Name),
    ...(controls.OriginAccessControlList?.Items ?? []).map(({ Name }) => Name),
    ...(policies.ResponseHeadersPolicyList?.Items ?? []).map(
      ({ ResponseHeadersPolicy }) => ResponseHeadersPolicy?.ResponseHeadersPolicyConfig?.Name,
    ),
  ].filter((name) => name !== undefined);
}
