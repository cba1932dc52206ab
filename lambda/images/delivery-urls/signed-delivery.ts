/** URLs of stored images: lasting ones for public images, CloudFront signed URLs for private ones. */

import { createExpiringCache } from '../../base/expiring-cache';
import { lazily } from '../../base/lazily';
import type { Delivery } from '../delivery';
import type { DeliveryUrl } from '../image';
import { checkLibraryPath, isPrivatePath } from '../library-path';
import { createDeterministicSigner, type Signer } from './deterministic-signature';

/** How long a signed URL works at least, in milliseconds. */
const validForMsMin = 3_600_000;
/** Expiries are multiples of this many milliseconds: within one window an image keeps its URL. */
const windowMs = 3_600_000;
/** How many URLs one function instance remembers, at some 300 bytes each. */
const urlsMax = 1_000;

/** The CDN, and its key for signed URLs. */
export interface SignedDeliveryOptions {
  /** URL of the CDN, without a trailing slash. */
  readonly baseUrl: string;
  /** CloudFront's id of the public key. */
  readonly keyPairId: string;
  /** The private key as PEM; asked for once, when the first private image is delivered, and again after a failure. */
  readonly readPrivateKey: () => Promise<string>;
}

/** Both methods refuse, with a `RangeError`, a path that belongs to the other: a private image is never public. */
export function createSignedDelivery({
  baseUrl,
  keyPairId,
  readPrivateKey,
}: SignedDeliveryOptions): Delivery {
  // Signing the same again would give the same again, at about a millisecond each.
  const urls = createExpiringCache<DeliveryUrl>(urlsMax);
  const loadSigner = lazily(async (): Promise<Signer> => {
    return createDeterministicSigner(await readPrivateKey());
  });

  return {
    publicUrl(path) {
      checkLibraryPath(path);
      if (isPrivatePath(path)) throw new RangeError('A private image has no public URL');
      return `${baseUrl}/${path}` as DeliveryUrl;
    },

    async signedUrl(path, nowMs) {
      checkLibraryPath(path);
      if (!isPrivatePath(path)) throw new RangeError(`${path} is public and needs no signature`);
      const endsMs = Math.ceil((nowMs + validForMsMin) / windowMs) * windowMs;
      const cached = urls.get(`${endsMs} ${path}`, nowMs);
      if (cached !== undefined) return { url: cached, endsMs };
      const sign = await loadSigner();
      const resource = `${baseUrl}/${path}`;
      const expires = String(endsMs / 1_000);
      const signature = encodeSignature(sign(cannedPolicy(resource, expires)));
      // CloudFront takes SHA-1 unless the URL says otherwise.
      const parameters = `Expires=${expires}&Signature=${signature}&Key-Pair-Id=${keyPairId}&Hash-Algorithm=SHA256`;
      const url = `${resource}?${parameters}` as DeliveryUrl;
      urls.set(`${endsMs} ${path}`, url, endsMs);
      return { url, endsMs };
    },
  };
}

/**
 * What is signed. CloudFront rebuilds it from the request byte by byte, so there is no white space in it.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 * @param resource the whole URL without the parameters of the signature
 * @param expires epoch seconds in decimal
 */
export function cannedPolicy(resource: string, expires: string): string {
  return `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
}

/** Base 64 with the three characters that a URL cannot hold replaced as CloudFront wants it. */
function encodeSignature(signature: Uint8Array): string {
  return Buffer.from(signature)
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~');
}

/** The bytes of an encoded signature, or `undefined` for any text that is not their one exact encoding. */
export function decodeSignature(text: string): Uint8Array | undefined {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/');
  const signature = Buffer.from(base64, 'base64');
  return encodeSignature(signature) === text ? signature : undefined;
}
