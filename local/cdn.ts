/** Replaces CloudFront: it delivers public images to everyone, and other images by signed URLs. */

import { createPublicKey, verify } from 'node:crypto';
import { drawMissingFileCard } from '../lambda/http/error-card';
import { writeCannedPolicy } from '../lambda/images/delivery-urls';
import type { ImageStore } from '../lambda/images/image-store';
import { isPrivatePath, isStoredPath } from '../lambda/images/stored-path';
import type { Listener } from './http';

interface CdnOptions {
  readonly imageStore: Pick<ImageStore, 'get'>;
  /** The start of the URLs of images, without a trailing slash. Signed URLs begin with it. */
  readonly baseUrl: string;
  readonly publicKeyPem: string;
  readonly keyPairId: string;
  readonly nowMs: () => number;
}

/** The headers of every response. The deployed distribution sets the same ones by its response headers policy. */
const policyHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

const deniedXml = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>';
const missingFileCard = drawMissingFileCard();

/** Creates the distribution. A path that is neither open nor signed gets 403. A missing file gets the card. */
export function createCdn({ imageStore, baseUrl, publicKeyPem, keyPairId, nowMs }: CdnOptions): Listener {
  const { origin, pathname: prefix } = new URL(`${baseUrl}/`);

  return async ({ method = '', url = '' }, response) => {
    const send = (status: number, type: string, caching: string, body: string | Uint8Array) => {
      const length = Buffer.byteLength(body);
      const headers = { 'content-type': type, 'cache-control': caching, 'content-length': length };
      response.writeHead(status, { ...policyHeaders, ...headers }).end(method === 'HEAD' ? undefined : body);
    };
    if (method === 'OPTIONS') return void response.writeHead(204, policyHeaders).end();
    const [pathname = ''] = url.split('?');
    const path = pathname.slice(prefix.length);
    // Only plain paths are open, so that no unusual way of writing a path opens a private file.
    const isPrivate = isPrivatePath(path) || !/^[\w-]+(?:[./][\w-]+)*\/?$/.test(path);
    const isAllowed =
      ['GET', 'HEAD'].includes(method) &&
      pathname.startsWith(prefix) &&
      (!isPrivate || hasValidSignature(origin + url, publicKeyPem, keyPairId, nowMs()));
    if (!isAllowed) return send(403, 'text/xml', 'no-store', deniedXml);
    const image = isStoredPath(path) ? await imageStore.get(path) : undefined;
    if (!image) return send(404, 'image/svg+xml', 'public, max-age=60', missingFileCard);
    // A deployment may change the public files. Renditions never change.
    const lifetime = /^public\/(?!ai\/)/.test(path) ? 'max-age=3600' : 'max-age=31536000, immutable';
    const caching = `${isPrivate ? 'private' : 'public'}, ${lifetime}`;
    send(200, image.mediaType, caching, image.bytes);
  };
}

/**
 * Checks that a URL has exactly one valid signature of CloudFront's canned policy, as `makeSignedUrl` writes it.
 * @param url exactly as it was requested. A URL parser would repair mistakes that CloudFront refuses.
 */
export function hasValidSignature(url: string, publicKey: string, keyPairId: string, nowMs: number): boolean {
  const form =
    /^([^?]*)\?Expires=(\d{1,12})&Signature=((?:[\w~-]{4})+)&Key-Pair-Id=([^&]*)&Hash-Algorithm=SHA256$/;
  const [, base = '', expires = '', signatureText = '', signer] = form.exec(url) ?? [];
  if (signer !== keyPairId || Number(expires) * 1_000 <= nowMs) return false;
  const base64 = signatureText.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/');
  const policy = Buffer.from(writeCannedPolicy(base, expires));
  return verify('sha256', policy, createPublicKey(publicKey), Buffer.from(base64, 'base64'));
}
