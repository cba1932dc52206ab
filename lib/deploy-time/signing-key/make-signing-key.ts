/** The custom resource behind keys: makes a P-256 key pair once, with a certificate where one is asked for, and answers with what is public. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Work } from '../custom-resource';
import { manifestCertificate } from '../self-signed-certificate';

/** Where the private key is kept. */
export interface KeySafe {
  read(secretId: string): Promise<string | undefined>;
  write(secretId: string, privateKeyPem: string): Promise<void>;
}

/**
 * What is public of the key in a secret, which is made when the secret holds none: the public key (SPKI, PEM), or the
 * certificate behind the key. Asked twice, it answers the same, so that an update or a repeated call never makes URLs
 * invalid that were given out.
 */
export async function publicPartOf(
  secretId: string,
  safe: KeySafe,
  kind: 'public key' | 'certificate' = 'public key',
): Promise<string> {
  const kept = await safe.read(secretId);
  const isKept = kept?.startsWith('-----BEGIN PRIVATE KEY-----') === true;
  const pem = isKept ? kept : kind === 'certificate' ? newCredentials() : newKey();
  if (!isKept) await safe.write(secretId, pem);
  return kind === 'certificate' ? certificateIn(pem) : publicHalf(pem);
}

/** Deleting does nothing: the secret goes, or stays, with the stack's own policy. */
export function makeSigningKey(safe: KeySafe): Work {
  return async ({ RequestType, ResourceProperties: { SecretId: secretId, Certificate } }) => {
    if (RequestType === 'Delete') return {};
    return Certificate === 'true'
      ? { CertificatePem: await publicPartOf(secretId, safe, 'certificate') }
      : { PublicKeyPem: await publicPartOf(secretId, safe) };
  };
}

/** Private key and certificate for manifests of images, as PEM. */
export function newCredentials(): string {
  const { privateKeyPem, certificatePem } = manifestCertificate(Date.now());
  return privateKeyPem + certificatePem;
}

/** What of credentials may be published. */
export function certificateIn(credentials: string): string {
  return credentials.slice(credentials.indexOf('-----BEGIN CERTIFICATE-----'));
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function publicHalf(privateKeyPem: string): string {
  return createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
}
