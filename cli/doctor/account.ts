/** What the doctor reads of an AWS account through the SDK; nothing in here changes anything. */

import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  BedrockClient,
  GetFoundationModelAvailabilityCommand,
  GetFoundationModelCommand,
} from '@aws-sdk/client-bedrock';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describeStack, requestHandler } from '../service';

/** Every method throws what the SDK throws when AWS refuses or does not answer. */
export type Account = ReturnType<typeof awsAccount>;

interface ModelState {
  readonly state: 'active' | 'legacy' | 'gone';
  /** `agreement`, or a sentence without its end. */
  readonly obstacle?: string;
}

/** Names of alarms that CloudWatch takes at once. */
const alarmsMax = 100;

/** Each call has a deadline and two attempts. @param region absent where none is configured */
export function awsAccount(region: string | undefined) {
  const settings = (each = region) => ({
    ...(each === undefined ? {} : { region: each }),
    maxAttempts: 2,
    requestHandler,
  });
  const cloudFormation = new CloudFormationClient(settings());
  return {
    region,
    /** Its 12-digit id. */
    async accountId(): Promise<string> {
      return (await new STSClient(settings()).send(new GetCallerIdentityCommand())).Account ?? '';
    },
    stack: (name: string) => describeStack(cloudFormation, name),
    /** Executions at once of all functions in the region, and those that no function has reserved. */
    async executions(): Promise<{ readonly all: number; readonly unreserved: number }> {
      const { AccountLimit } = await new LambdaClient(settings()).send(new GetAccountSettingsCommand());
      const { ConcurrentExecutions: all = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
        AccountLimit ?? {};
      return { all, unreserved };
    },
    /** Requests per second that API Gateway admits for the whole account and region. */
    async requestsPerSecond(): Promise<number> {
      const { throttleSettings } = await new APIGatewayClient(settings()).send(new GetAccountCommand());
      return throttleSettings?.rateLimit ?? 0;
    },
    /** Whether a model is offered, and what keeps the account from invoking it. @param nowMs decides whether its end has come */
    async model(modelId: string, modelRegion: string, nowMs: number): Promise<ModelState> {
      const client = new BedrockClient(settings(modelRegion));
      const command = new GetFoundationModelCommand({ modelIdentifier: modelId });
      const { modelDetails } = await client.send(command).catch((error: Error) => {
        if (/^(ResourceNotFound|Validation)Exception$/.test(error.name)) return { modelDetails: undefined };
        throw error;
      });
      const { status, endOfLifeTime } = modelDetails?.modelLifecycle ?? {};
      if (!modelDetails || (endOfLifeTime && endOfLifeTime.getTime() <= nowMs)) return { state: 'gone' };
      const state = status === 'LEGACY' ? 'legacy' : 'active';
      const may = await client.send(new GetFoundationModelAvailabilityCommand({ modelId }));
      if (may.regionAvailability !== 'AVAILABLE') return { state, obstacle: 'it is not available there' };
      if (may.authorizationStatus !== 'AUTHORIZED')
        return { state, obstacle: 'the account is not authorized for it' };
      const states = [may.agreementAvailability?.status, may.entitlementAvailability];
      return states.every((each) => each === 'AVAILABLE') ? { state } : { state, obstacle: 'agreement' };
    },
    /** Names, state and end (epoch, milliseconds) of a certificate. */
    async certificate(CertificateArn: string) {
      const client = new ACMClient(settings(CertificateArn.split(':')[3]));
      const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn }));
      return {
        status: Certificate?.Status ?? '',
        names: [Certificate?.DomainName ?? '', ...(Certificate?.SubjectAlternativeNames ?? [])],
        endsMs: Certificate?.NotAfter?.getTime() ?? Number.POSITIVE_INFINITY,
      };
    },
    /** The alarms of a stack, with what each notifies and its state. */
    async alarms(StackName: string) {
      const names: string[] = [];
      const pages = paginateListStackResources({ client: cloudFormation }, { StackName });
      for await (const { StackResourceSummaries = [] } of pages)
        for (const { ResourceType, PhysicalResourceId = '' } of StackResourceSummaries)
          if (ResourceType === 'AWS::CloudWatch::Alarm') names.push(PhysicalResourceId);
      const command = new DescribeAlarmsCommand({ AlarmNames: names, MaxRecords: alarmsMax });
      const { MetricAlarms = [] } = await new CloudWatchClient(settings()).send(command);
      return MetricAlarms.map(({ AlarmName = '', AlarmActions = [], StateValue }) => ({
        name: AlarmName,
        isOn: StateValue === 'ALARM',
        notifies: AlarmActions.length > 0,
      }));
    },
    /** The text of a secret. Never printed. */
    async secret(SecretId: string): Promise<string> {
      const command = new GetSecretValueCommand({ SecretId });
      return (await new SecretsManagerClient(settings()).send(command)).SecretString ?? '';
    },
  };
}
