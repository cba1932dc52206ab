/** Accepts findings of cdk-nag one by one, each with its reason beside the construct that causes it. */

import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** @param reasons rule, such as `AwsSolutions-S1`, → why it does not apply here */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}
