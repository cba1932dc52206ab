/** The distribution of the local service: public images for everyone, and all else for holders of a CloudFront signed URL. */

import { createHash, createPublicKey, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { missingFileCard } from '../lambda/http/error-card';
import { cannedPolicy, decodeSignature } from '../lambda/images/delivery-urls/delivery';
import type { ImageLibrary } from '../lambda/images/image-library';
import { isLibraryPath, isPrivatePath } from '../lambda/images/library-path';

interface CdnOptions {
  readonly library: Pick<ImageLibrary, 'get'>;
  /** The URL that images are given out under, without a trailing slash; it is part of what is signed. */
  readonly baseUrl: string;
  readonly publicKeyPem: string;
  readonly keyPairId: string;
  readonly nowMs: () => number;
}

/** Answers a request for a path below `baseUrl`. */
export type Cdn = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** On every answer, as the response headers policy of the distribution sets them. */
const policyHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

const immutable = 'max-age=31536000, immutable';

/** A file that is not there is answered with a card, for an image tag, and kept for a minute. */
const missing = {
  headers: { ...policyHeaders, 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=60' },
  body: missingFileCard(),
} as const;

/** Makes the distribution; what is neither open nor validly signed is 403. */
export function createCdn({ library, baseUrl, publicKeyPem, keyPairId, nowMs }: CdnOptions): Cdn {
  const { origin, pathname: prefix } = new URL(`${baseUrl}/`);

  return async (request, response) => {
    const { method, url = '' } = request;
    if (method === 'OPTIONS') return void response.writeHead(204, policyHeaders).end();
    const [below = ''] = url.split('?');
    if ((method !== 'GET' && method !== 'HEAD') || !below.startsWith(prefix)) return refuse(response);
    const path = below.slice(prefix.length);
    const isPrivate = isPrivatePath(path) || isPrivatePath(tidied(path));
    if (isPrivate && !isValidlySigned(origin + url, publicKeyPem, keyPairId, nowMs()))
      return refuse(response);
    const key = decoded(path);
    const image = isLibraryPath(key) ? await library.get(key) : undefined;
    if (!image)
      return void response.writeHead(404, missing.headers).end(method === 'HEAD' ? undefined : missing.body);
    const etag = `"${createHash('md5').update(image.bytes).digest('hex')}"`;
    const headers = {
      ...policyHeaders,
      'cache-control': `${isPrivate ? 'private' : 'public'}, ${immutable}`,
      etag,
    };
    const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
    if (known.some((tag) => tag.replace(/^W\//, '') === etag))
      return void response.writeHead(304, headers).end();
    const length = image.bytes.byteLength;
    response.writeHead(200, { ...headers, 'content-type': image.mediaType, 'content-length': length });
    response.end(method === 'HEAD' ? undefined : image.bytes);
  };
}

/**
 * What a path comes to once percent sequences, dots and doubled slashes are resolved. CloudFront compares some such form
 * with its path patterns, so that a path is open only when both this and the path as it came are.
 */
function tidied(path: string): string {
  const plain = decoded(path)
    .replace(/[\\/]+/g, '/')
    .replace(/^\//, '');
  return new URL(plain, 'http://cdn/').pathname.slice(1);
}

/** The key that a bucket reads from a path: percent sequences decoded, dots and slashes left as they are. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

function refuse(response: ServerResponse): void {
  response
    .writeHead(403, { ...policyHeaders, 'content-type': 'text/xml', 'cache-control': 'no-store' })
    .end('<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>');
}

/**
 * Whether a URL has exactly one valid signature of CloudFront's canned policy.
 * @param url as it was requested, byte by byte: parsing it first would forgive differences that CloudFront does not
 * @param keyPairId the only id that is known
 */
export function isValidlySigned(
  url: string,
  publicKeyPem: string,
  keyPairId: string,
  nowMs: number,
): boolean {
  const [base = '', query = ''] = url.split('?');
  const parameters = query.split('&').map((text) => text.split('='));
  const parameter = (name: string) => {
    const given = parameters.filter(([key]) => key === name);
    return given.length === 1 ? given[0]?.slice(1).join('=') : undefined;
  };
  const signature = decodeSignature(parameter('Signature') ?? '');
  const expires = parameter('Expires') ?? '';
  if (!signature || !/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 <= nowMs) return false;
  if (parameter('Key-Pair-Id') !== keyPairId || parameter('Hash-Algorithm') !== 'SHA256') return false;
  // Any other parameter is part of what is signed, and the service signs none.
  if (parameters.length !== 4) return false;
  return verify('sha256', Buffer.from(cannedPolicy(base, expires)), createPublicKey(publicKeyPem), signature);
}
