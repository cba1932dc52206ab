/** What commands ask of an operator's AWS account; each client of the SDK is loaded by what needs it. */

import { randomUUID } from 'node:crypto';
import { operatorAwsTimeoutsMs } from '../lambda/contract/timeouts';
import type { AwsPlace } from './failure';

/** Another place than the operator's AWS account: the services of a local one. */
export interface AwsAccess {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** What a client of the SDK is made with: each call has a deadline and two attempts. */
export const clientOf = (access: AwsAccess = {}) => ({
  ...access,
  maxAttempts: 2,
  requestHandler: {
    requestTimeout: operatorAwsTimeoutsMs.request,
    connectionTimeout: operatorAwsTimeoutsMs.connection,
    throwOnRequestTimeout: true,
  },
});

/**
 * Has all clients of this process work where the options say, else where the AWS CLI would: one of its variables is unknown
 * to the SDK.
 */
export function useAws({ region, profile }: AwsPlace): AwsPlace {
  const { env } = process;
  const named = region || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  if (named) env['AWS_REGION'] = named;
  if (profile) env['AWS_PROFILE'] = profile;
  return { ...(named && { region: named }), ...(profile && { profile }) };
}

/** A stack as CloudFormation describes it. */
export interface StackFacts {
  readonly status: string;
  /** Values by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Reads a stack; `undefined` where there is none of the name. @throws what the SDK throws */
export async function describeStack(StackName: string): Promise<StackFacts | undefined> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const command = new DescribeStacksCommand({ StackName });
  const answer = await new CloudFormationClient(clientOf()).send(command).catch((error: Error) => {
    // CloudFormation has no name of its own for a missing stack.
    if (/ does not exist$/.test(error.message)) return undefined;
    throw error;
  });
  const stack = answer?.Stacks?.[0];
  if (!stack) return undefined;
  const outputs = stack.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]) ?? [];
  return { status: stack.StackStatus ?? '', outputs: Object.fromEntries(outputs) };
}

/** The account (12 digits) and the ARN of whoever calls. @throws what the SDK throws */
export async function readCaller() {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { Account, Arn } = await new STSClient(clientOf()).send(new GetCallerIdentityCommand());
  return { account: Account ?? 'unknown', arn: Arn ?? 'unknown' };
}

/** The text of a secret, empty where it holds none; never printed. @throws what the SDK throws */
export async function readSecret(SecretId: string, access?: AwsAccess): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const client = new SecretsManagerClient(clientOf(access));
  return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
}

/** Has a distribution forget what it keeps of some paths. @throws what the SDK throws */
export async function invalidate(DistributionId: string, Items: string[]): Promise<void> {
  const { CloudFrontClient, CreateInvalidationCommand } = await import('@aws-sdk/client-cloudfront');
  const Paths = { Quantity: Items.length, Items };
  const InvalidationBatch = { CallerReference: randomUUID(), Paths };
  const command = new CreateInvalidationCommand({ DistributionId, InvalidationBatch });
  await new CloudFrontClient(clientOf()).send(command);
}
