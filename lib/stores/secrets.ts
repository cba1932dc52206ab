/** The secrets. A deployment generates them, and functions read them at run time. */

import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../lambda/contract/functions';
import { needsKey, takesKey } from '../../lambda/contract/providers';
import { readRetention, type Stage } from '../stage';

export type SecretsByVersion = ReadonlyMap<number, ISecret>;

/** All secrets. No template and no environment holds their values. */
export type Secrets = ReturnType<typeof addSecrets>;

/**
 * Adds the secrets. The key maker fills in the secrets of keys. Each version of a key has a secret, because
 * CloudFront cannot change a public key.
 */
export function addSecrets(scope: Construct, stage: Stage) {
  const { keyVersion, contentCredentials } = stage;
  const secret = (id: string, description: string, template?: string): ISecret =>
    new Secret(scope, id, {
      description,
      generateSecretString: {
        passwordLength: 64,
        excludePunctuation: true,
        ...(template && { secretStringTemplate: template, generateStringKey: 'placeholder' }),
      },
      removalPolicy: readRetention(stage),
    }) as ISecret;
  const versions = keyVersion === 1 ? [1] : [keyVersion - 1, keyVersion];
  const keys = (id: string, description: string): SecretsByVersion =>
    new Map(versions.map((version) => [version, secret(`${id}V${version}`, description)]));
  const signing = 'P-256 private key and certificates (PEM) that sign AI images';
  const contentKeys: SecretsByVersion =
    contentCredentials === 'self' ? keys('ContentSecret', signing) : new Map();
  return {
    /** Signers' secrets are derived from this master. Another value would end all signed URLs at once. */
    signers: secret('SignerSecret', 'Master secret from which the secrets of all signers are derived'),
    /** Key of the hash of IP addresses, and the secret header of the distribution before the API. */
    addresses: secret('AddressSecret', 'Key of the hash of IP addresses, and header of the distribution'),
    /** A JSON object with the API key of each provider. The operator fills it in. */
    providers: secret('ProviderSecret', 'JSON: provider to API key. Fill it in after deploying', '{}'),
    /** Private keys (PEM) that sign URLs of private images: at most two versions, the one in use last. */
    urlKeys: keys('SigningSecret', 'P-256 private key (PEM) that signs URLs of private images'),
    /** Private keys and certificates (PEM) that sign AI images; none unless the deployment makes them. */
    contentKeys,
    /** The key of `contentKeys` in use, or the operator's own. */
    content: contentCredentials === 'secret' ? secret('ContentSecret', signing) : contentKeys.get(keyVersion),
  };
}

/** Chooses the secrets that a function may read, by the environment variables that hold their ids. */
export function chooseSecrets(
  secrets: Secrets,
  name: FunctionName,
  stage: Stage,
): Readonly<Record<string, ISecret | undefined>> {
  const bound = Object.values(stage.slotBindings);
  const usesProviderKeys = {
    authorizer: false,
    api: bound.some(takesKey),
    renderer: bound.some(needsKey),
    generator: 'apiKeyName' in stage.generator,
  };
  return {
    SIGNER_SECRET_ID: secrets.signers,
    ADDRESS_SECRET_ID: secrets.addresses,
    PROVIDER_SECRET_ID: usesProviderKeys[name] ? secrets.providers : undefined,
    SIGNING_SECRET_ID: secrets.urlKeys.get(stage.keyVersion),
    CONTENT_SECRET_ID: secrets.content,
  };
}
