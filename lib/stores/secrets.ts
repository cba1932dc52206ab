/** Makes the secrets, which the deployment generates and functions read at run time. */

import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../lambda/contract/functions';
import { needsKey, takesKey } from '../../lambda/contract/providers';
import { retentionOf, type Stage } from '../stage';

/** Secrets by the version of their key. */
export type SecretsByVersion = ReadonlyMap<number, ISecret>;

/** All secrets. Their values never stand in the template or in an environment. */
export type Secrets = ReturnType<typeof addSecrets>;

/**
 * Makes the secrets. The key maker fills in those of keys, one for each version: CloudFront never changes a
 * public key.
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
      removalPolicy: retentionOf(stage),
    }) as ISecret;
  const versions = keyVersion === 1 ? [1] : [keyVersion - 1, keyVersion];
  const keys = (id: string, description: string): SecretsByVersion =>
    new Map(versions.map((version) => [version, secret(`${id}V${version}`, description)]));
  const signing = 'P-256 private key and certificates (PEM) that sign AI images';
  const contentKeys: SecretsByVersion =
    contentCredentials === 'self' ? keys('ContentSecret', signing) : new Map();
  return {
    /** Master from which signers' secrets are derived: another value would end all signed URLs at once. */
    signers: secret('SignerSecret', 'Master secret from which the secrets of all signers are derived'),
    /** Key of the hash of IP addresses, and the secret header of the distribution before the API. */
    addresses: secret('AddressSecret', 'Key of the hash of IP addresses, and header of the distribution'),
    /** JSON object from provider to API key, which the operator fills in. */
    providers: secret('ProviderSecret', 'JSON: provider to API key. Fill it in after deploying', '{}'),
    /** Private keys (PEM) that sign URLs of private images: at most two versions, the one in use last. */
    urlKeys: keys('SigningSecret', 'P-256 private key (PEM) that signs URLs of private images'),
    /** Private keys and certificates (PEM) that sign AI images; none unless the deployment makes them. */
    contentKeys,
    /** The one of `contentKeys` in use, or the operator's own. */
    content: contentCredentials === 'secret' ? secret('ContentSecret', signing) : contentKeys.get(keyVersion),
  };
}

/** The secrets that a function may read, by the environment variables that hold their ids. */
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
