/** The keys and certificates by which AI images are signed (C2PA): of the installation, or of the operator. */

import { Fn } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { KeyMaker } from './key-maker';
import { GeneratedSecret } from './secrets';

/** Secrets with keys and certificates, by the stage's settings; empty where AI images are not signed. */
export class ContentCredentials extends Construct {
  private readonly signing: GeneratedSecret | undefined;
  /** PEM. */
  private readonly certificates: readonly string[] = [];

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const { contentCredentials, contentKey } = stage;
    if (contentCredentials === 'secret') this.signing = this.secret('ContentSecret', stage);
    if (contentCredentials !== 'self') return;
    const maker = new KeyMaker(this, 'ContentKeyMaker', stage, 'content credentials');
    const made = contentKey.trusted.map((version) => {
      const secret = this.secret(`ContentSecretV${version}`, stage);
      const key = maker.keyIn(secret, `ContentKeyV${version}`, { Certificate: 'true' });
      return { version, secret, certificate: key.getAttString('CertificatePem') };
    });
    this.signing = made.find(({ version }) => version === contentKey.version)?.secret;
    this.certificates = made.map(({ certificate }) => certificate);
  }

  /** To sign images; nothing where none are signed. */
  grantSign(fn: NodeFunction): void {
    this.signing?.grantReadAs(fn, variables.contentSecretId);
  }

  /** To publish the certificates that the installation has made. */
  publishBy(fn: NodeFunction): void {
    if (this.certificates.length > 0)
      fn.addEnvironment(variables.contentCertificates, Fn.join('', [...this.certificates]));
  }

  private secret(id: string, stage: Stage): GeneratedSecret {
    return new GeneratedSecret(
      this,
      id,
      stage,
      'A new key needs a new certificate, which is published beside the one before: the contentKey setting rotates it.',
      {
        description: 'P-256 private key and certificates (PEM) that sign AI images',
        // A stand-in that the key maker or the operator replaces; a secret cannot be made without any value.
        generateSecretString: { passwordLength: 32, excludePunctuation: true },
      },
    );
  }
}
