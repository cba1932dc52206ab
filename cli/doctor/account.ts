/** What the doctor reads of an AWS account and of a deployed stack through the SDK; nothing in here changes anything. */

import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { BedrockClient, GetFoundationModelAvailabilityCommand } from '@aws-sdk/client-bedrock';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  CloudFrontClient,
  ListCachePoliciesCommand,
  ListDistributionsCommand,
  ListFunctionsCommand,
  ListKeyGroupsCommand,
  ListOriginAccessControlsCommand,
  ListOriginRequestPoliciesCommand,
  ListPublicKeysCommand,
  ListResponseHeadersPoliciesCommand,
} from '@aws-sdk/client-cloudfront';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DescribeEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetHostedZoneCommand, ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetTopicAttributesCommand, paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { connectDynamoDb, untimed } from '../../lambda/aws/dynamodb';
import { connectBedrock, createReadLifecycle } from '../../lambda/generation/models/bedrock/lifecycle';
import type { Limit } from '../../lambda/quota/limit';
import { usedOf } from '../../lambda/quota/take';
import { describeStack, requestHandler } from '../service';

/** Every method throws what the SDK throws when AWS refuses or does not answer. */
export type Account = ReturnType<typeof awsAccount>;

interface CertificateFacts {
  readonly status: string;
  readonly names: readonly string[];
  /** Moment (epoch, milliseconds); absent before it is issued. */
  readonly endsMs?: number;
}

/** One resource of a stack, by its type such as `AWS::Lambda::Function`. */
export interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

interface SecretFacts {
  readonly isBeingDeleted: boolean;
  /** Absent when there is no current value. Never printed. */
  readonly value?: string;
}

const maxAttempts = 2;

/** Names that CloudWatch and CloudFront give at once. */
const alarmsMax = 100;
const cdnItemsMax = 100;

/**
 * Each call has a deadline and two attempts.
 * @param region absent where none is configured; it has to be named, as for the CDK
 */
export function awsAccount(region: string | undefined) {
  const settings = (each = region) => ({
    ...(each === undefined ? {} : { region: each }),
    maxAttempts,
    requestHandler,
  });
  const cloudFormation = new CloudFormationClient(settings());
  const secretsManager = new SecretsManagerClient(settings());
  return {
    region,
    /** Its 12-digit id. */
    async accountId() {
      const { Account = '' } = await new STSClient(settings()).send(new GetCallerIdentityCommand());
      return Account;
    },
    /** Executions at once of all functions of the account in the region, and those that no function has reserved. */
    async functionLimits() {
      const { AccountLimit } = await new LambdaClient(settings()).send(new GetAccountSettingsCommand());
      const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = 0 } = AccountLimit ?? {};
      return { concurrent: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions };
    },
    /** ARN of the role by which API Gateway writes logs, for the whole account and region. */
    async gatewayLogRole(): Promise<string | undefined> {
      const { cloudwatchRoleArn } = await new APIGatewayClient(settings()).send(new GetAccountCommand());
      return cloudwatchRoleArn || undefined;
    },
    /** Requests per second and at once that API Gateway admits for the whole account and region. */
    async gatewayThrottle() {
      const { throttleSettings } = await new APIGatewayClient(settings()).send(new GetAccountCommand());
      return { perSecond: throttleSettings?.rateLimit, burst: throttleSettings?.burstLimit };
    },
    /** Whether the credentials may take on a role. */
    async mayAssume(RoleArn: string): Promise<boolean> {
      const command = new AssumeRoleCommand({ RoleArn, RoleSessionName: 'doctor', DurationSeconds: 900 });
      const answer = await new STSClient(settings()).send(command).catch(absentIf('AccessDenied'));
      return answer !== undefined;
    },
    async hasEventBus(Name: string): Promise<boolean> {
      const answer = await new EventBridgeClient(settings())
        .send(new DescribeEventBusCommand({ Name }))
        .catch(absentIf('ResourceNotFoundException'));
      return answer !== undefined;
    },
    /** A hosted zone's name, and the types of the records of one name in it; `undefined` where it is not the account's. */
    async hostedZone(Id: string, recordName: string) {
      const client = new Route53Client(settings());
      const zone = await client.send(new GetHostedZoneCommand({ Id })).catch(absentIf('NoSuchHostedZone'));
      if (!zone) return undefined;
      const { ResourceRecordSets = [] } = await client.send(
        new ListResourceRecordSetsCommand({ HostedZoneId: Id, StartRecordName: recordName, MaxItems: 10 }),
      );
      const records = ResourceRecordSets.filter(({ Name }) => Name === `${recordName}.`);
      return { name: zone.HostedZone?.Name ?? '', records: records.map(({ Type = '' }) => Type as string) };
    },
    /** What protects the data of a table. */
    async tableSafety(TableName: string) {
      const client = new DynamoDBClient(settings());
      const [{ Table }, { ContinuousBackupsDescription: backups }, { TimeToLiveDescription: expiry }] =
        await Promise.all([
          client.send(new DescribeTableCommand({ TableName })),
          client.send(new DescribeContinuousBackupsCommand({ TableName })),
          client.send(new DescribeTimeToLiveCommand({ TableName })),
        ]);
      return {
        isProtected: Table?.DeletionProtectionEnabled === true,
        isRecoverable: backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED',
        expires: expiry?.TimeToLiveStatus === 'ENABLED' || expiry?.TimeToLiveStatus === 'ENABLING',
      };
    },
    modelLifecycle: (modelId: string, modelRegion: string, nowMs: number) =>
      createReadLifecycle(connectBedrock(modelRegion))(modelId, nowMs),
    /** Whether the account may invoke a model; `isAgreed`: the agreement with the model's seller is made. */
    async modelAvailability(modelId: string, modelRegion: string) {
      const client = new BedrockClient(settings(modelRegion));
      const answer = await client.send(new GetFoundationModelAvailabilityCommand({ modelId }));
      return {
        isAuthorized: answer.authorizationStatus === 'AUTHORIZED',
        isInRegion: answer.regionAvailability === 'AVAILABLE',
        isEntitled: answer.entitlementAvailability === 'AVAILABLE',
        isAgreed: answer.agreementAvailability?.status === 'AVAILABLE',
      };
    },
    async certificate(arn: string): Promise<CertificateFacts | undefined> {
      const client = new ACMClient(settings(arn.split(':')[3]));
      const answer = await client
        .send(new DescribeCertificateCommand({ CertificateArn: arn }))
        .catch(absentIf('ResourceNotFoundException'));
      const details = answer?.Certificate;
      if (!details) return undefined;
      return {
        status: details.Status ?? '',
        names: [details.DomainName ?? '', ...(details.SubjectAlternativeNames ?? [])],
        ...(details.NotAfter ? { endsMs: details.NotAfter.getTime() } : {}),
      };
    },
    /** Resources of CloudFront whose names are global in the account. */
    cdnNames: () => readCdnNames(new CloudFrontClient(settings())),
    async hasDistributions(): Promise<boolean> {
      const command = new ListDistributionsCommand({ MaxItems: 1 });
      const { DistributionList } = await new CloudFrontClient(settings()).send(command);
      return (DistributionList?.Items ?? []).length > 0;
    },
    stack: (name: string) => describeStack(cloudFormation, name),
    /** Of a stack that exists. */
    async resources(StackName: string): Promise<readonly StackResource[]> {
      const resources: StackResource[] = [];
      const pages = paginateListStackResources({ client: cloudFormation }, { StackName });
      for await (const { StackResourceSummaries = [] } of pages)
        for (const {
          ResourceType: type = '',
          LogicalResourceId = '',
          PhysicalResourceId = '',
        } of StackResourceSummaries)
          resources.push({ type, logicalId: LogicalResourceId, physicalId: PhysicalResourceId });
      return resources;
    },
    /** Alarms with the ARNs of what each notifies when it fires. */
    async alarms(names: readonly string[]) {
      const { MetricAlarms = [] } = await new CloudWatchClient(settings()).send(
        new DescribeAlarmsCommand({ AlarmNames: [...names], MaxRecords: alarmsMax }),
      );
      return MetricAlarms.map(({ AlarmName = '', ActionsEnabled = true, AlarmActions = [] }) => ({
        name: AlarmName,
        isEnabled: ActionsEnabled,
        actions: AlarmActions,
      }));
    },
    /** A topic's policy, as JSON, and its subscriptions. */
    async topic(TopicArn: string) {
      const client = new SNSClient(settings());
      const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
      const arns: string[] = [];
      for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn }))
        arns.push(...Subscriptions.map(({ SubscriptionArn = '' }) => SubscriptionArn));
      const confirmed = arns.filter((arn) => arn.startsWith('arn:')).length;
      return { policy: Attributes?.['Policy'] ?? '{}', confirmed, pending: arns.length - confirmed };
    },
    /** Environment of a function; none of the generator's is a secret. */
    async functionVariables(FunctionName: string): Promise<Readonly<Record<string, string>>> {
      const command = new GetFunctionConfigurationCommand({ FunctionName });
      const { Environment } = await new LambdaClient(settings()).send(command);
      return Environment?.Variables ?? {};
    },
    /** How much of a limit a counter of the service has charged. */
    used(table: string, limit: Limit): Promise<number> {
      // The adapter has its own deadlines and attempts.
      const database = connectDynamoDb(region === undefined ? {} : { region });
      return usedOf({ ...untimed(database), tables: { quotaCounters: table } }, limit);
    },
    async secret(SecretId: string): Promise<SecretFacts> {
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

interface CdnName {
  readonly kind:
    | 'key group'
    | 'public key'
    | 'access control'
    | 'header policy'
    | 'cache policy'
    | 'request policy'
    | 'function';
  readonly name: string;
}

async function readCdnNames(client: CloudFrontClient): Promise<readonly CdnName[]> {
  const MaxItems = cdnItemsMax;
  const Type = 'custom';
  const [groups, keys, controls, headers, caches, requests, functions] = await Promise.all([
    client.send(new ListKeyGroupsCommand({ MaxItems })),
    client.send(new ListPublicKeysCommand({ MaxItems })),
    client.send(new ListOriginAccessControlsCommand({ MaxItems })),
    client.send(new ListResponseHeadersPoliciesCommand({ Type, MaxItems })),
    client.send(new ListCachePoliciesCommand({ Type, MaxItems })),
    client.send(new ListOriginRequestPoliciesCommand({ Type, MaxItems })),
    client.send(new ListFunctionsCommand({ MaxItems })),
  ]);
  const named = <Item>(
    kind: CdnName['kind'],
    items: readonly Item[] | undefined,
    nameOf: (item: Item) => string | undefined,
  ) => (items ?? []).map((item) => ({ kind, name: nameOf(item) ?? '' }));
  return [
    ...named('key group', groups.KeyGroupList?.Items, ({ KeyGroup }) => KeyGroup?.KeyGroupConfig?.Name),
    ...named('public key', keys.PublicKeyList?.Items, ({ Name }) => Name),
    ...named('access control', controls.OriginAccessControlList?.Items, ({ Name }) => Name),
    ...named(
      'header policy',
      headers.ResponseHeadersPolicyList?.Items,
      ({ ResponseHeadersPolicy }) => ResponseHeadersPolicy?.ResponseHeadersPolicyConfig?.Name,
    ),
    ...named(
      'cache policy',
      caches.CachePolicyList?.Items,
      ({ CachePolicy }) => CachePolicy?.CachePolicyConfig?.Name,
    ),
    ...named(
      'request policy',
      requests.OriginRequestPolicyList?.Items,
      ({ OriginRequestPolicy }) => OriginRequestPolicy?.OriginRequestPolicyConfig?.Name,
    ),
    ...named('function', functions.FunctionList?.Items, ({ Name }) => Name),
  ];
}
