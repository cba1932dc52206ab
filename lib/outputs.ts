/** Adds outputs to the stack, by which the CLI and people find it. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Adds outputs to the stack of a construct, but those that are `undefined`. */
export function addOutputs(scope: Construct, values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) new CfnOutput(Stack.of(scope), name, { value });
}
