/** Adds the outputs of the stack, for the CLI and for people. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Adds outputs to the stack of a construct. A value that is `undefined` is left out. */
export function addOutputs(scope: Construct, values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) new CfnOutput(Stack.of(scope), name, { value });
}
