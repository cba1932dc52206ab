/** The signature of an image URL: the HMAC-SHA256 of its canonical form with the key of a signer. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ParameterTexts, writeCanonicalQuery, writeQueryString } from '../../packages/client/src/signer';

/** The signer of a URL, the signer's key of 32 bytes, and the end of the signature. */
export interface Signing {
  readonly signerId: string;
  readonly key: Uint8Array;
  /** Unix seconds, as the URL has them. A URL without an end has none. */
  readonly expires?: string;
}

/** Computes the signature of parameters: the first 16 bytes of the HMAC in base64url, 22 characters. */
export function computeSignature(
  { signerId, key, expires = '' }: Signing,
  parameters: ParameterTexts,
): string {
  const message = `image-redirect/v1\n${signerId}\n${expires}\n${writeCanonicalQuery(parameters)}`;
  return createHmac('sha256', key).update(message).digest().subarray(0, 16).toString('base64url');
}

/** Says whether two signatures are equal. The time does not depend on the place where they differ. */
export function isSameSignature(signature: string, expected: string): boolean {
  const bytes = Buffer.from(signature);
  const expectedBytes = Buffer.from(expected);
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes);
}

/** Writes the query string of a signed URL. `parameters` are those that the signature covers, and the sides. */
export function signQuery(signing: Signing, parameters: ParameterTexts): string {
  const { signerId: signer, expires } = signing;
  const signature = computeSignature(signing, parameters);
  return writeQueryString(Object.entries({ ...parameters, signer, expires, signature }));
}
