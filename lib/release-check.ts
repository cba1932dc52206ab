/** What a release has beside the stack that it deploys: a check of the stack that it updates, before anything else. */

import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { ReleaseFacts } from './deploy-time/check-release/check-release';
import { DeployTimeFunction } from './deploy-time/deploy-time-function';
import type { Stage } from './stage';

/** Every other resource of the stack waits for it, so that a release that is refused has changed nothing. */
export class ReleaseCheck extends Construct {
  constructor(stack: Stack, stage: Stage, facts: ReleaseFacts) {
    super(stack, 'ReleaseCheck');
    const others = stack.node.children.filter((each) => each !== this && !(each instanceof CfnParameter));
    const checker = new DeployTimeFunction(
      this,
      'ReleaseChecker',
      stage,
      'checkRelease',
      'Refuses a release that would take back what the stack has',
    );
    checker.allow(['cloudformation:DescribeStacks'], [stack.stackId]);
    const { defaultChild } = checker.customResource('CheckedRelease', 'CheckedRelease', { ...facts }).node;
    if (defaultChild) for (const other of others) other.node.addDependency(defaultChild);
  }
}
