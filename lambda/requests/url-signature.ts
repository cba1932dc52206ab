/** Signatures of image URLs: HMAC-SHA256 of the canonical form with a signer's key. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignerId } from '../credentials/signer';
import { canonicalForm, type GivenParameters, rfc3986 } from './canonical-form';

/** Who has signed a URL, with what, and until when. */
export interface Signing {
  readonly signerId: SignerId;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Unix seconds as they stand in the URL; absent for a URL without an end. */
  readonly expires?: string;
}

/** The signature of these parameters: the first 16 bytes in base64url, 22 characters. */
export function signatureOf({ signerId, key, expires = '' }: Signing, parameters: GivenParameters): string {
  const message = `image-redirect/v1\n${signerId}\n${expires}\n${canonicalForm(parameters)}`;
  return createHmac('sha256', key).update(message).digest().subarray(0, 16).toString('base64url');
}

/** Whether two signatures are the same text, in a time that tells nothing about where they differ. */
export function isSameSignature(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The query string of a URL in the query form, signed. @param parameters those that a signature covers, with the sides */
export function signedQuery(signing: Signing, parameters: GivenParameters): string {
  const { signerId: signer, expires } = signing;
  const all = { ...parameters, signer, expires, signature: signatureOf(signing, parameters) };
  return Object.entries(all)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${rfc3986(value)}`]))
    .join('&');
}
