/** Reads the parts of an AWS account that the doctor examines. */

import {
  BedrockClient,
  GetFoundationModelAvailabilityCommand,
  GetFoundationModelCommand,
} from '@aws-sdk/client-bedrock';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { findStack, makeAwsOptions, readCaller, readSecretText } from '../aws';

/** The reads of an account. Each throws what the SDK throws. */
export type AwsAccount = typeof awsAccount;

/** The account of this process's credentials. */
export const awsAccount = {
  readAccountId: async () => (await readCaller()).account,
  findStack,
  readSecretText,
  /** Reads the quota of executions at the same time, for all functions of the region. */
  readExecutionQuota: async () =>
    (await new LambdaClient(makeAwsOptions()).send(new GetAccountSettingsCommand())).AccountLimit ?? {},
  /** Reads the access to a model: what the account lacks to invoke it. Unknown models are `undefined`. */
  async readModelAccess(modelIdentifier: string, region: string) {
    const client = new BedrockClient({ ...makeAwsOptions(), region });
    const command = new GetFoundationModelCommand({ modelIdentifier });
    const { modelDetails } = await client.send(command).catch((error: Error) => {
      if (/^(ResourceNotFound|Validation)Exception$/.test(error.name)) return { modelDetails: undefined };
      throw error;
    });
    if (!modelDetails) return undefined;
    const availability = new GetFoundationModelAvailabilityCommand({ modelId: modelIdentifier });
    const available = await client.send(availability);
    const access = {
      region: available.regionAvailability,
      authorization: available.authorizationStatus,
      agreement: available.agreementAvailability?.status,
      entitlement: available.entitlementAvailability,
    };
    const lacks = Object.entries(access).filter(([, state]) => !/^(AVAILABLE|AUTHORIZED)$/.test(state ?? ''));
    return { lacks: lacks.map(([name]) => name) };
  },
  /** Lists the alarms of a stack by their names: its own name, the id of the alarm, and a suffix. */
  async listAlarms(stack: string) {
    const command = new DescribeAlarmsCommand({ AlarmNamePrefix: `${stack}-`, MaxRecords: 100 });
    const { MetricAlarms = [] } = await new CloudWatchClient(makeAwsOptions()).send(command);
    // The stack ImageRedirect-dev-prod begins like ImageRedirect-dev.
    return MetricAlarms.filter(({ AlarmName = '' }) =>
      /^\w+(Alarm|-canary)-\w+$/.test(AlarmName.slice(stack.length + 1)),
    );
  },
};
