/** Finds resources of the tested stack. */

import { CloudFormationClient, DescribeStackResourceCommand } from '@aws-sdk/client-cloudformation';
import { readFacts } from '../../tools/deploy-test/facts';

/** AWS's own name of a resource: of a function its name, of a topic its ARN. */
export async function physicalId(LogicalResourceId: string): Promise<string> {
  const command = new DescribeStackResourceCommand({ StackName: readFacts().stack, LogicalResourceId });
  const { StackResourceDetail } = await new CloudFormationClient().send(command);
  return StackResourceDetail?.PhysicalResourceId ?? '';
}
