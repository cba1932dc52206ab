/** Signs image URLs: HMAC-SHA256 of the request's canonical form with a signer's key. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalQuery, type ParameterTexts, writeQueryString } from '../../packages/client/src/signer';

/** The signer of a URL, its key of 32 bytes, and the end of the signature. */
export interface Signing {
  readonly signerId: string;
  readonly key: Uint8Array;
  /** Unix seconds as they stand in the URL; absent for a URL without an end. */
  readonly expires?: string;
}

/** Computes the signature of these parameters: the first 16 bytes in base64url, 22 characters. */
export function computeSignature(
  { signerId, key, expires = '' }: Signing,
  parameters: ParameterTexts,
): string {
  const message = `image-redirect/v1\n${signerId}\n${expires}\n${canonicalQuery(parameters)}`;
  return createHmac('sha256', key).update(message).digest().subarray(0, 16).toString('base64url');
}

/** Compares two signatures in a time that does not depend on where they differ. */
export function isSameSignature(signature: string, expected: string): boolean {
  const [a, b] = [Buffer.from(signature), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Writes the query string of a signed URL, of the parameters that a signature covers, and of sides. */
export function signedQuery(signing: Signing, parameters: ParameterTexts): string {
  const { signerId: signer, expires } = signing;
  const signature = computeSignature(signing, parameters);
  return writeQueryString(Object.entries({ ...parameters, signer, expires, signature }));
}
