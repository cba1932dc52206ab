/** The custom resource behind the signing key: makes a P-256 key pair once and answers with its public half. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Work } from '../custom-resource';

/** Where the private key is kept. */
export interface KeySafe {
  read(secretId: string): Promise<string | undefined>;
  write(secretId: string, privateKeyPem: string): Promise<void>;
}

/**
 * The public half (SPKI, PEM) of the key pair in a secret, which is made when the secret holds none. Asked twice, it
 * answers the same, so that an update or a repeated call never makes URLs invalid that were given out.
 */
export async function publicKeyOf(secretId: string, safe: KeySafe): Promise<string> {
  const kept = await safe.read(secretId);
  if (kept?.startsWith('-----BEGIN PRIVATE KEY-----')) return publicHalf(kept);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await safe.write(secretId, pem);
  return publicHalf(pem);
}

/** Deleting does nothing: the secret goes, or stays, with the stack's own policy. */
export function makeSigningKey(safe: KeySafe): Work {
  return async ({ RequestType, ResourceProperties }) =>
    RequestType === 'Delete' ? {} : { PublicKeyPem: await publicKeyOf(ResourceProperties['SecretId'], safe) };
}

function publicHalf(privateKeyPem: string): string {
  return createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
}
