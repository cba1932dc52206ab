/** Reads the CloudFormation outputs of a deployed stack. */

import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { requestHandler } from './aws-request-handler';
import { type AwsPlace, explained } from './explain';
import { notFound } from './failure';

export interface StackPlace {
  readonly stack: string;
  readonly region?: string;
  readonly profile?: string;
}

export interface StackOutputs {
  /** The value of an output, or `undefined` when the stack has none of that name. */
  readonly output: (name: string) => string | undefined;
  /** How clients of the same account and region are made. */
  readonly client: { readonly region?: string };
  /** Where errors of them happened. */
  readonly place: AwsPlace;
}

/** Region and credentials as the AWS CLI finds them. @throws `Failure` */
export async function readStackOutputs({ stack, region, profile }: StackPlace): Promise<StackOutputs> {
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  // The CLI reads a second variable, which the SDK does not know.
  const named = region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  const client = named === undefined ? {} : { region: named };
  const place: AwsPlace = { ...client, ...(profile === undefined ? {} : { profile }) };
  const cloudFormation = new CloudFormationClient({
    ...client,
    maxAttempts: 3,
    requestHandler,
  });
  const { Outputs = [] } = await explained(place, () => describe(cloudFormation, stack));
  const output = (name: string) => Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
  return { output, client, place };
}

async function describe(client: CloudFormationClient, stack: string): Promise<Stack> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    if (Stacks[0]) return Stacks[0];
  } catch (error) {
    // CloudFormation has no name of its own for it.
    const isMissing = error instanceof Error && / does not exist$/.test(error.message);
    if (!isMissing) throw error;
  }
  const region = await client.config.region();
  throw notFound(`There is no stack ${stack} in ${region}. Is it another region (--region) or account?`);
}
