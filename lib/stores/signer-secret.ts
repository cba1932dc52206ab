/** The secret from which the secrets of all signers are derived. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { GeneratedSecret } from './secrets';

export class SignerSecret {
  private readonly secret: GeneratedSecret;

  constructor(scope: Construct, stage: Stage) {
    this.secret = new GeneratedSecret(
      scope,
      'SignerSecret',
      stage,
      'Every signer is derived from it, so that a new value would end all signed URLs at once; each signer has a rotation of its own.',
      {
        description: 'Master secret from which the secrets of all signers are derived',
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
      },
    );
  }

  /** The secret's id, for the operator who makes signers. */
  get secretId(): string {
    return this.secret.secretArn;
  }

  /** To verify signed URLs. */
  grantVerify(fn: NodeFunction): void {
    this.secret.grantReadAs(fn, variables.signerSecretId);
  }
}
