/** ECDSA P-256 signatures that depend on key and text alone (RFC 6979). */

import { createPrivateKey } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';

/** Signs a text with SHA-256; the same text always gets the same DER-encoded signature. */
export type Signer = (text: string) => Uint8Array;

/**
 * Node signs with a random number each time, so every function instance would give an image another URL and no
 * browser could cache it. The signatures are ordinary ones, and any verifier accepts them.
 * @param privateKeyPem a P-256 key as PKCS #8 or SEC 1
 * @throws `TypeError` when it is another kind of key.
 */
export function createDeterministicSigner(privateKeyPem: string): Signer {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('The signing key is not a P-256 key');
  const scalar = Buffer.from(key.export({ format: 'jwk' }).d as string, 'base64url');
  return (text) => p256.sign(Buffer.from(text), scalar, { prehash: true, lowS: false, format: 'der' });
}
