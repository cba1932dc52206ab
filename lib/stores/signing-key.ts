/** The key pairs that sign URLs of private images, each with a version, and the group of those that CloudFront trusts. */

import { Fn, Stack } from 'aws-cdk-lib';
import { type CfnPublicKey, type IKeyGroup, KeyGroup, PublicKey } from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import type { NodeFunction } from '../functions/node-function';
import { globalName, pinLogicalId } from '../resources';
import type { Stage } from '../stage';
import { KeyMaker } from './key-maker';
import { GeneratedSecret } from './secrets';

interface KeyPair {
  readonly secret: GeneratedSecret;
  readonly publicKey: PublicKey;
}

/** One key pair for each trusted version; one of them signs. */
export class SigningKey extends Construct {
  /** A signature of any of its keys opens private images. */
  readonly keyGroup: IKeyGroup;
  /** Makes the keys. */
  readonly maker: KeyMaker;
  private readonly signing: KeyPair;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.maker = new KeyMaker(this, 'SigningKeyMaker', stage, 'private images');
    const { version, trusted } = stage.signingKey;
    const pairs = new Map(trusted.map((each) => [each, this.keyPair(each, stage)]));
    const group = new KeyGroup(this, 'KeyGroup', {
      keyGroupName: globalName(this, 'signing'),
      items: [...pairs.values()].map(({ publicKey }) => publicKey),
    });
    this.keyGroup = group;
    this.signing = pairs.get(version) as KeyPair;
  }

  /** To sign URLs. */
  grantSign(fn: NodeFunction): void {
    const { secret, publicKey } = this.signing;
    secret.grantReadAs(fn, variables.signingSecretId);
    fn.addEnvironment(variables.signingKeyPairId, publicKey.publicKeyId);
    // A new key is trusted before anything signs with it.
    fn.node.addDependency(this.keyGroup);
  }

  /** CloudFront never changes a public key, so that each version has a key of its own, in every name and id. */
  private keyPair(version: number, stage: Stage): KeyPair {
    const secret = new GeneratedSecret(
      this,
      `SigningSecretV${version}`,
      stage,
      'A new private key needs a new public key in CloudFront and an overlap of both: the signingKey setting rotates it.',
      {
        description: 'P-256 private key (PEM) that signs URLs of private images',
        // A stand-in that the key maker replaces; a secret cannot be made without any value.
        generateSecretString: { passwordLength: 32, excludePunctuation: true },
      },
    );
    const keyPair = this.maker.keyIn(secret, `SigningKeyPairV${version}`);
    const publicKey = new PublicKey(this, `PublicKeyV${version}`, {
      publicKeyName: globalName(this, `signing-v${version}`),
      encodedKey: keyPair.getAttString('PublicKeyPem'),
    });
    pinLogicalId(publicKey, `SigningPublicKeyV${version}`);
    // The reference is global in the account, too, and has to be new for each key that was ever made.
    const stackUuid = Fn.select(2, Fn.split('/', Stack.of(this).stackId));
    (publicKey.node.defaultChild as CfnPublicKey).addPropertyOverride(
      'PublicKeyConfig.CallerReference',
      Fn.join('-', [stackUuid, `v${version}`]),
    );
    return { secret, publicKey };
  }
}
