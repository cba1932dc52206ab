/** Wires the check of a release to CloudFormation. */

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { customResource } from '../custom-resource';
import { checkRelease } from './check-release';

const client = new CloudFormationClient({ maxAttempts: 3 });

/** Called by CloudFormation before everything else in the stack of a release. */
export const handler = customResource(
  'checked-release',
  checkRelease(async (StackName) => {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const values = stack?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
    return Object.fromEntries(values ?? []);
  }),
);
