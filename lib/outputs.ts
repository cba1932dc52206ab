/** Adds outputs to the stack of a construct, by the names of the contract. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** @param values by output; `undefined` for one that the stage does not have */
export function addOutputs(scope: Construct, values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) new CfnOutput(Stack.of(scope), name, { value });
}
