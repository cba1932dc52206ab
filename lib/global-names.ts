/** Names of what an account holds once for all regions: two stacks, or one stack in two regions, never meet. */

import { Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** A name for a CloudFront resource, whose names are global in an account. */
export function globalName(scope: Construct, purpose: string): string {
  return `${Stack.of(scope).stackName}-${purpose}-${Aws.REGION}`;
}
