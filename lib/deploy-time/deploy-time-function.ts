/** A function that works while the stack is deployed, and the custom resources by which CloudFormation calls it. */

import { CustomResource, Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../resources';
import type { Stage } from '../stage';

/** Its construct's id is its logical id. */
export class DeployTimeFunction extends NodeFunction {
  /**
   * @param task names its folder beside this file, in kebab case there
   * @param addFiles as of `NodeFunction`
   */
  constructor(
    scope: Construct,
    id: string,
    stage: Stage,
    private readonly task: keyof typeof deployTimeoutsS,
    description: string,
    addFiles?: (folder: string) => void,
  ) {
    super(scope, id, {
      stage,
      entry: `lib/deploy-time/${task.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}/main.ts`,
      description,
      memoryMb: 256,
      timeoutS: deployTimeoutsS[task].function,
      ...(addFiles && { addFiles }),
    });
  }

  /** Allows it actions on resources, by their ARNs. */
  allow(actions: string[], resourceArns: string[]): void {
    Grant.addToPrincipal({ grantee: this, actions, resourceArns });
  }

  /** Has it called when CloudFormation makes, changes or deletes the resource. @param type without `Custom::` */
  customResource(
    logicalId: string,
    type: string,
    properties: Readonly<Record<string, unknown>>,
  ): CustomResource {
    // Beside the function, which it waits for.
    const made = new CustomResource(this.node.scope as Construct, logicalId, {
      resourceType: `Custom::${type}`,
      serviceToken: this.functionArn,
      serviceTimeout: Duration.seconds(deployTimeoutsS[this.task].service),
      properties,
    });
    pinLogicalId(made, logicalId);
    // The policy must be there before the function is called, and a custom resource does not wait for it by itself.
    made.node.addDependency(this);
    return made;
  }
}
