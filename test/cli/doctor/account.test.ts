/** Tests the doctor's reads of an account: which service is asked in which region, and how its output is read. */

import { BedrockClient } from '@aws-sdk/client-bedrock';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { awsAccount } from '../../../cli/doctor/account';

/** Input and region of each call, by the name of its command. */
let calls: Record<string, readonly [input: object, region: string]> = {};
beforeEach(() => {
  calls = {};
  jest.replaceProperty(process, 'env', { AWS_REGION: 'eu-west-1' });
});
afterEach(() => jest.restoreAllMocks());

interface Client {
  readonly config: { region(): Promise<string> };
  send(command: { readonly input: object }): Promise<object>;
}

/** Lets a client answer each command by its name; an error is thrown. */
function mockAnswers(
  client: { readonly prototype: object },
  answers: Readonly<Record<string, object>>,
): void {
  jest.spyOn(client.prototype as Client, 'send').mockImplementation(async function (this: Client, command) {
    const { name } = command.constructor;
    calls[name] = [command.input, await this.config.region()];
    const answer = answers[name];
    if (answer instanceof Error || !answer) throw answer;
    return answer;
  });
}
const makeAlarms = (names: readonly string[]) => names.map((AlarmName) => ({ AlarmName }));
const makeNamedError = (name: string) => Object.assign(new Error(name), { name });

test.each([
  {
    access: ['AVAILABLE', 'NOT_AUTHORIZED', 'PENDING', 'AVAILABLE'],
    lacks: ['authorization', 'agreement'],
  },
  {
    access: ['NOT_AVAILABLE', 'AUTHORIZED', 'AVAILABLE', 'NOT_AVAILABLE'],
    lacks: ['region', 'entitlement'],
  },
  { access: ['AVAILABLE', 'AUTHORIZED', 'AVAILABLE', 'AVAILABLE'], lacks: [] },
])('the access to a model names what an account lacks: $lacks', async ({ access, lacks }) => {
  const [regionAvailability, authorizationStatus, status, entitlementAvailability] = access;
  mockAnswers(BedrockClient, {
    GetFoundationModelCommand: { modelDetails: {} },
    GetFoundationModelAvailabilityCommand: {
      ...{ regionAvailability, authorizationStatus, entitlementAvailability },
      agreementAvailability: { status },
    },
  });
  expect(await awsAccount.readModelAccess('a.model', 'us-west-2')).toEqual({ lacks });
  expect(calls).toEqual({
    GetFoundationModelCommand: [{ modelIdentifier: 'a.model' }, 'us-west-2'],
    GetFoundationModelAvailabilityCommand: [{ modelId: 'a.model' }, 'us-west-2'],
  });
});

test('only a model that Bedrock does not know has no access to report', async () => {
  for (const name of ['ResourceNotFoundException', 'ValidationException']) {
    mockAnswers(BedrockClient, { GetFoundationModelCommand: makeNamedError(name) });
    expect(await awsAccount.readModelAccess('a', 'us-west-2')).toBeUndefined();
  }
  mockAnswers(BedrockClient, { GetFoundationModelCommand: makeNamedError('AccessDeniedException') });
  await expect(awsAccount.readModelAccess('a', 'us-west-2')).rejects.toThrow('AccessDenied');
});

test('executions and the alarms of one stack are read in the region of the environment', async () => {
  mockAnswers(LambdaClient, { GetAccountSettingsCommand: { AccountLimit: { ConcurrentExecutions: 10 } } });
  const ownAlarms = makeAlarms(['S-ThrottlesAlarm-1A', 'S-Api-canary-3']);
  const MetricAlarms = [...makeAlarms(['S-prod-ThrottlesAlarm-2B', 'S-prod-Api-canary-4']), ...ownAlarms];
  mockAnswers(CloudWatchClient, { DescribeAlarmsCommand: { MetricAlarms } });
  expect(await awsAccount.readExecutionQuota()).toEqual({ ConcurrentExecutions: 10 });
  expect(await awsAccount.listAlarms('S')).toEqual(ownAlarms);
  expect(calls).toMatchObject({ DescribeAlarmsCommand: [{ AlarmNamePrefix: 'S-' }, 'eu-west-1'] });
});
