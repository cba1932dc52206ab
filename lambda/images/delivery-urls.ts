/** Makes the URLs of stored images. A private image gets a signed URL, which ends after an hour or two. */

import { createPrivateKey } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import type { ExpiringCache } from '../base/expiring-cache';
import { isPrivatePath, type StoredPath } from './stored-path';

/** URL of an image in the image store, from `makePublicUrl` and `makeSignedUrl` only. */
export type DeliveryUrl = string & { readonly brand: 'DeliveryUrl' };

/** Shortest time for which a signed URL works. */
const signedUrlTtlMsMin = 3_600_000;
/** Signed URLs end at multiples of this time. An image keeps its URL until then. */
const windowMs = 3_600_000;

/** The distribution in front of the image store, and its key for signed URLs. */
export interface ImageDomain {
  /** URL of the distribution, without a trailing slash. */
  readonly baseUrl: string;
  readonly keyPairId: string;
  /** Reads the private key as PEM. */
  readonly readPrivateKey: () => Promise<string>;
  /** The URLs that this instance has signed. They are kept, because signing takes about a millisecond. */
  readonly signedUrls: ExpiringCache<DeliveryUrl>;
}

/** Makes the URL of a public image, which does not end. @throws `RangeError` for a private image */
export function makePublicUrl({ baseUrl }: Pick<ImageDomain, 'baseUrl'>, path: StoredPath): DeliveryUrl {
  if (isPrivatePath(path)) throw new RangeError('A private image has no public URL');
  return `${baseUrl}/${path}` as DeliveryUrl;
}

/**
 * Makes a signed URL of a private image. Anybody who has it can load the image until the URL ends.
 * @throws `RangeError` for a public image, or an error when the signing key cannot be read
 */
export async function makeSignedUrl(
  { baseUrl, keyPairId, readPrivateKey, signedUrls }: ImageDomain,
  path: StoredPath,
  nowMs: number,
): Promise<{ readonly url: DeliveryUrl; readonly endsMs: number }> {
  if (!isPrivatePath(path)) throw new RangeError(`${path} is public and needs no signature`);
  const endsMs = Math.ceil((nowMs + signedUrlTtlMsMin) / windowMs) * windowMs;
  const knownUrl = signedUrls.get(`${endsMs} ${path}`, nowMs);
  if (knownUrl !== undefined) return { url: knownUrl, endsMs };
  const resource = `${baseUrl}/${path}`;
  const expires = String(endsMs / 1_000);
  const signature = encodeSignature(signText(await readPrivateKey(), writeCannedPolicy(resource, expires)));
  // CloudFront expects SHA-1 unless the URL names another algorithm.
  const parameters = `Expires=${expires}&Signature=${signature}&Key-Pair-Id=${keyPairId}&Hash-Algorithm=SHA256`;
  const url = `${resource}?${parameters}` as DeliveryUrl;
  signedUrls.set(`${endsMs} ${path}`, url, endsMs);
  return { url, endsMs };
}

/**
 * Signs a text by ECDSA P-256 with SHA-256, and encodes the signature in DER. The signature depends on key and
 * text only (RFC 6979). Node would use a random number: each instance would give an image another URL, and no
 * browser could cache it.
 * @param privateKeyPem a P-256 key as PKCS #8 or SEC 1
 * @throws `TypeError` for another kind of key
 */
export function signText(privateKeyPem: string, text: string): Uint8Array {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('The signing key is not a P-256 key');
  const scalar = Buffer.from(key.export({ format: 'jwk' }).d as string, 'base64url');
  return p256.sign(Buffer.from(text), scalar, { prehash: true, lowS: false, format: 'der' });
}

/**
 * Writes the text that is signed. Each byte matters, because CloudFront makes the same text from the request.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 */
export function writeCannedPolicy(resource: string, expires: string): string {
  return `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
}

/** Encodes a signature in CloudFront's form of base64: `-`, `_` and `~` in place of `+`, `=` and `/`. */
function encodeSignature(signature: Uint8Array): string {
  return Buffer.from(signature)
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~');
}
