/** Adds the secrets. A deployment generates them, and functions read them at run time. */

import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../lambda/contract/functions';
import { needsKey, takesKey } from '../../lambda/contract/providers';
import { getRemovalPolicy, type Stage } from '../stage';

export type SecretsByVersion = ReadonlyMap<number, ISecret>;

/** All secrets. No template and no environment holds their values. */
export type Secrets = ReturnType<typeof addSecrets>;

/**
 * Adds the secrets. The key maker fills in the secrets of keys. Each version of a key has a secret, because
 * CloudFront cannot change a public key.
 */
export function addSecrets(scope: Construct, stage: Stage) {
  const { keyVersion, contentCredentials } = stage;
  const addSecret = (id: string, description: string, template?: string): ISecret =>
    new Secret(scope, id, {
      description,
      generateSecretString: {
        passwordLength: 64,
        excludePunctuation: true,
        ...(template && { secretStringTemplate: template, generateStringKey: 'placeholder' }),
      },
      removalPolicy: getRemovalPolicy(stage),
    }) as ISecret;
  const versions = keyVersion === 1 ? [1] : [keyVersion - 1, keyVersion];
  const addKeys = (id: string, description: string): SecretsByVersion =>
    new Map(versions.map((version) => [version, addSecret(`${id}V${version}`, description)]));
  const contentText = 'P-256 private key and certificates (PEM) that sign AI images';
  const contentKeys: SecretsByVersion =
    contentCredentials === 'self' ? addKeys('ContentSecret', contentText) : new Map();
  return {
    /** Another value would end all signed URLs at once. */
    signers: addSecret('SignerSecret', 'Master secret from which the secrets of all signers are derived'),
    addresses: addSecret('AddressSecret', 'Key of the hash of IP addresses, and header of the distribution'),
    providers: addSecret('ProviderSecret', 'JSON: provider to API key. Fill it in after deploying', '{}'),
    /** At most two versions. The version in use is the last. */
    urlKeys: addKeys('SigningSecret', 'P-256 private key (PEM) that signs URLs of private images'),
    /** None unless the deployment makes the keys that sign AI images. */
    contentKeys,
    /** The key of `contentKeys` in use, or the operator's own. */
    content:
      contentCredentials === 'secret' ? addSecret('ContentSecret', contentText) : contentKeys.get(keyVersion),
  };
}

/** Chooses the secrets that a function may read, by the environment variables that hold their ids. */
export function chooseSecrets(secrets: Secrets, name: FunctionName, stage: Stage) {
  const providers = Object.values(stage.slotBindings);
  const usesProviderKeys = {
    authorizer: false,
    api: providers.some(takesKey),
    renderer: providers.some(needsKey),
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
