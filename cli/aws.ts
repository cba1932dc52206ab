/** Calls AWS for several commands. Each function loads the SDK's client when it is called. */

import { randomUUID } from 'node:crypto';
import { operatorAwsTimeoutsMs } from '../lambda/contract/timeouts';

/** Returns the options of a client of the SDK: a deadline for each call, and two attempts. */
export const makeAwsOptions = () => ({
  maxAttempts: 2,
  requestHandler: {
    requestTimeout: operatorAwsTimeoutsMs.request,
    connectionTimeout: operatorAwsTimeoutsMs.connection,
    throwOnRequestTimeout: true,
  },
});

/** The options that name the AWS account of a command. */
export interface AwsTarget {
  readonly region?: string;
  readonly profile?: string;
}

/** Sets region and profile for all clients of this process, and returns the region if one is named. */
export function configureAws({ region: option, profile }: AwsTarget): string | undefined {
  const { env } = process;
  // The AWS CLI reads AWS_DEFAULT_REGION, and the SDK does not.
  const region = option || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  if (region) env['AWS_REGION'] = region;
  if (profile) env['AWS_PROFILE'] = profile;
  return region;
}

export type StackFacts = NonNullable<Awaited<ReturnType<typeof findStack>>>;

/** Finds a stack by its name. */
export async function findStack(StackName: string) {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const command = new DescribeStacksCommand({ StackName });
  const output = await new CloudFormationClient(makeAwsOptions()).send(command).catch((error: Error) => {
    // CloudFormation tells a missing stack from other errors only by the message.
    if (/ does not exist$/.test(error.message)) return undefined;
    throw error;
  });
  const stack = output?.Stacks?.[0];
  if (!stack) return undefined;
  const entries = stack.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]) ?? [];
  const outputs: Readonly<Record<string, string>> = Object.fromEntries(entries);
  return { status: stack.StackStatus ?? '', outputs };
}

/** Reads the AWS account (12 digits) and the ARN of the principal that this process acts as. */
export async function readCaller() {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { Account, Arn } = await new STSClient(makeAwsOptions()).send(new GetCallerIdentityCommand());
  return { account: Account ?? 'unknown', arn: Arn ?? 'unknown' };
}

/** Reads the text of a secret, or an empty text if it holds none. */
export async function readSecretText(SecretId: string): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const client = new SecretsManagerClient(makeAwsOptions());
  return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
}

/** Removes paths from the cache of a CloudFront distribution. */
export async function invalidatePaths(DistributionId: string, Items: string[]): Promise<void> {
  const { CloudFrontClient, CreateInvalidationCommand } = await import('@aws-sdk/client-cloudfront');
  const Paths = { Quantity: Items.length, Items };
  const InvalidationBatch = { CallerReference: randomUUID(), Paths };
  const command = new CreateInvalidationCommand({ DistributionId, InvalidationBatch });
  await new CloudFrontClient(makeAwsOptions()).send(command);
}
