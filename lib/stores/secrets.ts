/** Secrets in Secrets Manager, each made by the deployment, so that nobody has to type one. */

import { Grant } from 'aws-cdk-lib/aws-iam';
import { Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../logical-ids';
import { acknowledge } from '../nag';
import { retentionOf } from '../retention';
import type { Stage } from '../stage';

/** A secret whose value never stands in the template; the id is the logical id. */
export class HouseSecret extends Secret {
  /** @param whyNotRotated why no schedule replaces its value */
  constructor(
    scope: Construct,
    id: string,
    stage: Stage,
    whyNotRotated: string,
    {
      description,
      generateSecretString,
    }: Required<Pick<SecretProps, 'description' | 'generateSecretString'>>,
  ) {
    const removalPolicy = retentionOf(stage);
    super(scope, id, { description, generateSecretString, removalPolicy });
    pinLogicalId(this, id);
    acknowledge(this, { 'AwsSolutions-SMG4': whyNotRotated });
  }

  /** Allows to read the value, and tells the function the secret's id in an environment variable. */
  grantReadAs(fn: NodeFunction, variable: string): void {
    fn.addEnvironment(variable, this.secretArn);
    Grant.addToPrincipal({
      grantee: fn,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
  }
}
