/** The function that makes keys while the stack is deployed, so that none stands in the template. */

import type { CustomResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { DeployTimeFunction } from '../deploy-time/deploy-time-function';
import type { Stage } from '../stage';
import type { GeneratedSecret } from './secrets';

/** Makes each key once: a secret that holds one keeps it. */
export class KeyMaker extends DeployTimeFunction {
  /** @param purpose what the keys are for */
  constructor(scope: Construct, id: string, stage: Stage, purpose: string) {
    super(scope, id, stage, 'signingKey', `Makes the key pairs for ${purpose} while the stack is deployed`);
  }

  /** Has the key in a secret made; the resource's attribute is `PublicKeyPem`, or `CertificatePem` where one is asked for. */
  keyIn(
    { secretArn }: GeneratedSecret,
    logicalId: string,
    properties: Readonly<Record<string, string>> = {},
  ): CustomResource {
    this.allow(['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'], [secretArn]);
    return this.customResource(logicalId, 'SigningKeyPair', { SecretId: secretArn, ...properties });
  }
}
