/** Signs image URLs: HMAC-SHA256 of the request's canonical form with a signer's key. */

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Texts of parameters by their names, percent-decoded once and not normalised. */
type SignedTexts = Readonly<Record<string, string | undefined>>;

/**
 * Writes the canonical form of a request: `name=value`, encoded by RFC 3986, sorted by name, joined by `&`.
 * `upto` takes the place of `width` and `height`, which a request may choose below it.
 */
function canonicalQuery(parameters: SignedTexts): string {
  const replacedNames = parameters['upto'] === undefined ? [] : ['width', 'height'];
  const signedTexts = Object.entries(parameters).filter(([name]) => !replacedNames.includes(name));
  return writeQueryString(signedTexts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes a query string: all but the unreserved characters of RFC 3986 are encoded, in upper-case hex. */
export function writeQueryString(parameters: readonly (readonly [string, string | undefined])[]): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, hex);
  const presentParameters = parameters.filter(([, value]) => value !== undefined);
  return presentParameters.map(([name, value = '']) => `${name}=${encoded(value)}`).join('&');
}

/** The signer of a URL, its key of 32 bytes, and the end of the signature. */
export interface Signing {
  readonly signerId: string;
  readonly key: Uint8Array;
  /** Unix seconds as they stand in the URL; absent for a URL without an end. */
  readonly expires?: string;
}

/** Computes the signature of these parameters: the first 16 bytes in base64url, 22 characters. */
export function computeSignature({ signerId, key, expires = '' }: Signing, parameters: SignedTexts): string {
  const message = `image-redirect/v1\n${signerId}\n${expires}\n${canonicalQuery(parameters)}`;
  return createHmac('sha256', key).update(message).digest().subarray(0, 16).toString('base64url');
}

/** Compares two signatures in a time that does not depend on where they differ. */
export function isSameSignature(signature: string, expected: string): boolean {
  const [a, b] = [Buffer.from(signature), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Writes the query string of a signed URL, of the parameters that a signature covers, and of sides. */
export function signedQuery(signing: Signing, parameters: SignedTexts): string {
  const { signerId: signer, expires } = signing;
  const signature = computeSignature(signing, parameters);
  return writeQueryString(Object.entries({ ...parameters, signer, expires, signature }));
}
