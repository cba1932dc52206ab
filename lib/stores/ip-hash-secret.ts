/** The secret of the keyed hash under which client IP addresses are counted. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { GeneratedSecret } from './secrets';

export class IpHashSecret {
  private readonly secret: GeneratedSecret;

  constructor(scope: Construct, stage: Stage) {
    this.secret = new GeneratedSecret(
      scope,
      'AddressSecret',
      stage,
      'A new value would only restart the hourly windows of anonymous callers; it protects nothing that lasts longer than an hour.',
      {
        description: 'Key of the hash under which client IP addresses are counted',
        generateSecretString: { passwordLength: 48, excludePunctuation: true },
      },
    );
  }

  /**
   * Puts the value into the function's environment by a reference that CloudFormation resolves while it deploys, so
   * that counting an anonymous caller costs no call to Secrets Manager.
   */
  grantUse(fn: NodeFunction): void {
    fn.addEnvironment(variables.ipHashSecret, this.secret.secretValue.unsafeUnwrap());
  }
}
