/** Pins CloudFormation's names of resources, so that moving a construct never replaces what it stands for. */

import { CfnElement } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Gives a construct's resource this logical id for good.
 * @throws `Error` when the construct stands for no resource.
 */
export function pinLogicalId(construct: IConstruct, logicalId: string): void {
  const resource = construct.node.defaultChild ?? construct;
  if (!CfnElement.isCfnElement(resource)) throw new Error(`${construct.node.path} stands for no resource`);
  resource.overrideLogicalId(logicalId);
}
