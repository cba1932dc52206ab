/** The key pair that signs URLs of private images, made by the first deployment without a human. */

import { CustomResource, Duration } from 'aws-cdk-lib';
import { type IKeyGroup, KeyGroup, PublicKey } from 'aws-cdk-lib/aws-cloudfront';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { deployTimeoutsS } from '../../lambda/contract/timeouts';
import { NodeFunction } from '../functions/node-function';
import { pinLogicalId } from '../logical-ids';
import type { Stage } from '../stage';
import { HouseSecret } from './secrets';

export class SigningKey extends Construct {
  /** Whoever signs with the private key may fetch private images. */
  readonly keyGroup: IKeyGroup;
  private readonly secret: HouseSecret;
  private readonly publicKey: PublicKey;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.secret = new HouseSecret(
      this,
      'SigningSecret',
      stage,
      'A new private key needs a new public key in CloudFront and an overlap of both, which no rotation schedule can do.',
      {
        description: 'P-256 private key (PEM) that signs addresses of private images',
        // A stand-in that the key maker replaces; a secret cannot be made without any value.
        generateSecretString: { passwordLength: 32, excludePunctuation: true },
      },
    );
    const maker = new NodeFunction(this, 'SigningKeyMaker', {
      stage,
      entry: 'lib/deploy-time/signing-key/main.ts',
      description: 'Makes the key pair for private images while the stack is deployed',
      memoryMb: 256,
      timeoutS: deployTimeoutsS.signingKey.function,
    });
    Grant.addToPrincipal({
      grantee: maker,
      actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      resourceArns: [this.secret.secretArn],
    });
    const keyPair = new CustomResource(this, 'KeyPair', {
      resourceType: 'Custom::SigningKeyPair',
      serviceToken: maker.functionArn,
      serviceTimeout: Duration.seconds(deployTimeoutsS.signingKey.service),
      properties: { SecretId: this.secret.secretArn },
    });
    pinLogicalId(keyPair, 'SigningKeyPair');
    // The policy must be there before the function is called, and a custom resource does not wait for it by itself.
    keyPair.node.addDependency(maker);
    this.publicKey = new PublicKey(this, 'PublicKey', { encodedKey: keyPair.getAttString('PublicKeyPem') });
    pinLogicalId(this.publicKey, 'SigningPublicKey');
    this.keyGroup = new KeyGroup(this, 'KeyGroup', { items: [this.publicKey] });
  }

  /** To sign URLs. */
  grantSign(fn: NodeFunction): void {
    this.secret.grantReadAs(fn, variables.signingSecretId);
    fn.addEnvironment(variables.signingKeyPairId, this.publicKey.publicKeyId);
  }
}
