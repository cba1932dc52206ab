/** Makes the URLs of stored images: lasting ones of public images, signed ones of private images. */

import { createPrivateKey } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import type { ExpiringCache } from '../base/expiring-cache';
import type { DeliveryUrl } from './image';
import { isPrivatePath, type StoredPath, toStoredPath } from './stored-path';

/** Shortest time for which a signed URL works, in milliseconds. */
const signedUrlTtlMsMin = 3_600_000;
/** Signed URLs end at multiples of this time, in milliseconds; until then, an image keeps its URL. */
const windowMs = 3_600_000;

/** The distribution of the image store, and its key for signed URLs. */
export interface ImageDomain {
  /** URL of the distribution, without a trailing slash. */
  readonly baseUrl: string;
  readonly keyPairId: string;
  /** Reads the private key as PEM. */
  readonly readPrivateKey: () => Promise<string>;
  /** URLs that this instance has signed: signing takes about a millisecond. */
  readonly signedUrls: ExpiringCache<DeliveryUrl>;
}

/** Makes the lasting URL of a public image; a private one is a `RangeError`. */
export function makePublicUrl({ baseUrl }: Pick<ImageDomain, 'baseUrl'>, path: StoredPath): DeliveryUrl {
  toStoredPath(path);
  if (isPrivatePath(path)) throw new RangeError('A private image has no public URL');
  return `${baseUrl}/${path}` as DeliveryUrl;
}

/**
 * Signs a URL of a private image. Anybody who has the URL loads the image until it expires.
 * @throws `RangeError` for a public image, and when the signing key cannot be had
 */
export async function makeSignedUrl(
  { baseUrl, keyPairId, readPrivateKey, signedUrls }: ImageDomain,
  path: StoredPath,
  nowMs: number,
): Promise<{ readonly url: DeliveryUrl; readonly endsMs: number }> {
  toStoredPath(path);
  if (!isPrivatePath(path)) throw new RangeError(`${path} is public and needs no signature`);
  const endsMs = Math.ceil((nowMs + signedUrlTtlMsMin) / windowMs) * windowMs;
  const knownUrl = signedUrls.get(`${endsMs} ${path}`, nowMs);
  if (knownUrl !== undefined) return { url: knownUrl, endsMs };
  const resource = `${baseUrl}/${path}`;
  const expires = String(endsMs / 1_000);
  const signature = encodeSignature(signText(await readPrivateKey(), writeCannedPolicy(resource, expires)));
  // CloudFront takes SHA-1 unless the URL says otherwise.
  const parameters = `Expires=${expires}&Signature=${signature}&Key-Pair-Id=${keyPairId}&Hash-Algorithm=SHA256`;
  const url = `${resource}?${parameters}` as DeliveryUrl;
  signedUrls.set(`${endsMs} ${path}`, url, endsMs);
  return { url, endsMs };
}

/**
 * Signs by ECDSA P-256 with SHA-256, DER-encoded; the signature depends on key and text only (RFC 6979). With
 * Node's own random number, each instance would give an image another URL, and no browser could cache it.
 * @param privateKeyPem a P-256 key as PKCS #8 or SEC 1
 * @throws `TypeError` when it is another kind of key
 */
export function signText(privateKeyPem: string, text: string): Uint8Array {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('The signing key is not a P-256 key');
  const scalar = Buffer.from(key.export({ format: 'jwk' }).d as string, 'base64url');
  return p256.sign(Buffer.from(text), scalar, { prehash: true, lowS: false, format: 'der' });
}

/**
 * Writes the text that is signed. CloudFront makes the same from the request, so that each byte matters.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 */
export function writeCannedPolicy(resource: string, expires: string): string {
  return `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
}

/** Encodes a signature in base64 for URLs, in CloudFront's own form. */
export function encodeSignature(signature: Uint8Array): string {
  return Buffer.from(signature)
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~');
}
