/** Names resources for good, and accepts findings of cdk-nag about them. */

import { Aws, CfnElement, Stack, Validations } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';

/**
 * Gives a construct's resource this logical id for good, so that moving the construct never replaces the resource.
 * @throws `Error` when the construct stands for no resource.
 */
export function pinLogicalId(construct: IConstruct, logicalId: string): void {
  const resource = construct.node.defaultChild ?? construct;
  if (!CfnElement.isCfnElement(resource)) throw new Error(`${construct.node.path} stands for no resource`);
  resource.overrideLogicalId(logicalId);
}

/** A name for a CloudFront resource: they are global in an account, so it tells stacks and regions apart. */
export function globalName(scope: Construct, purpose: string): string {
  return `${Stack.of(scope).stackName}-${purpose}-${Aws.REGION}`;
}

/**
 * Accepts findings of cdk-nag one by one, beside the construct that causes them.
 * @param reasons rule, such as `AwsSolutions-S1`, → why it does not apply here
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}

const ofOneBucket = 'The CDK names the actions of one kind on one bucket so.';
/** What cdk-nag finds about the CDK's own rights on buckets. */
export const bucketFindings = Object.fromEntries(
  ['GetObject*', 'GetBucket*', 'List*', 'DeleteObject*', 'Abort*'].map((action) => [
    `AwsSolutions-IAM5[Action::s3:${action}]`,
    ofOneBucket,
  ]),
);
