/** The function that makes keys while the stack is deployed, so that none stands in the template. */

import { CustomResource, Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../resources';
import type { Stage } from '../stage';
import type { GeneratedSecret } from './secrets';

export class KeyMaker extends NodeFunction {
  /** @param purpose what the keys are for */
  constructor(scope: Construct, id: string, stage: Stage, purpose: string) {
    super(scope, id, {
      stage,
      entry: 'lib/deploy-time/signing-key/main.ts',
      description: `Makes the key pairs for ${purpose} while the stack is deployed`,
      memoryMb: 256,
      timeoutS: deployTimeoutsS.signingKey.function,
    });
  }

  /** Has the key in a secret made; the resource's attribute is `PublicKeyPem`, or `CertificatePem` where one is asked for. */
  keyIn(
    secret: GeneratedSecret,
    logicalId: string,
    properties: Readonly<Record<string, string>> = {},
  ): CustomResource {
    Grant.addToPrincipal({
      grantee: this,
      actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      resourceArns: [secret.secretArn],
    });
    // Beside the function, which it waits for.
    const key = new CustomResource(this.node.scope as Construct, logicalId, {
      resourceType: 'Custom::SigningKeyPair',
      serviceToken: this.functionArn,
      serviceTimeout: Duration.seconds(deployTimeoutsS.signingKey.service),
      properties: { SecretId: secret.secretArn, ...properties },
    });
    pinLogicalId(key, logicalId);
    // The policy must be there before the function is called, and a custom resource does not wait for it by itself.
    key.node.addDependency(this);
    return key;
  }
}
