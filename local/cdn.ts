/** The CDN of the local service: serves public images to everyone and all else to holders of a CloudFront signed URL only. */

import { createHash, createPublicKey, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cannedPolicy, decodeSignature } from '../lambda/images/delivery-urls/signed-delivery';
import type { ImageLibrary } from '../lambda/images/image-library';
import { isLibraryPath, isPrivatePath } from '../lambda/images/library-path';
import { cut, includesTag } from './http';

interface CdnOptions {
  readonly library: ImageLibrary;
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
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** A page that follows the redirect with its key in a header asks for these first. */
const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
} as const;

const immutable = 'max-age=31536000, immutable';

/** Makes the CDN; every answer that is not an open image or a validly signed one is 403. */
export function createCdn({ library, baseUrl, publicKeyPem, keyPairId, nowMs }: CdnOptions): Cdn {
  const { origin, pathname: prefix } = new URL(`${baseUrl}/`);

  return async (request, response) => {
    const url = request.url ?? '';
    const path = pathBelow(prefix, url);
    if (request.method === 'OPTIONS')
      return void response.writeHead(204, { ...policyHeaders, ...preflightHeaders }).end();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 'AccessDenied', 'This method is not allowed.');
    if (path === undefined) return refuse(response, 'AccessDenied', 'Access denied');
    if (isPrivatePath(path) || isPrivatePath(tidied(path))) {
      const check = verifySignedUrl(origin + url, publicKeyPem, keyPairId, nowMs());
      if (check.outcome === 'refused') return refuse(response, check.code, check.message);
    }
    const key = decoded(path);
    if (!isLibraryPath(key)) return refuse(response, 'AccessDenied', 'Access denied');
    const image = await library.get(key);
    // A bucket without permission to list answers "denied" for what is not there, and so does CloudFront.
    if (!image) return refuse(response, 'AccessDenied', 'Access denied');
    const etag = `"${createHash('md5').update(image.bytes).digest('hex')}"`;
    const headers = {
      ...policyHeaders,
      'cache-control': `${isPrivatePath(key) ? 'private' : 'public'}, ${immutable}`,
      etag,
    };
    if (includesTag(request.headers['if-none-match'], etag))
      return void response.writeHead(304, headers).end();
    response.writeHead(200, {
      ...headers,
      'content-type': image.mediaType,
      'content-length': image.bytes.byteLength,
    });
    response.end(request.method === 'HEAD' ? undefined : image.bytes);
  };
}

/** The path of a request without the prefix and the query, as it came. */
function pathBelow(prefix: string, url: string): string | undefined {
  const path = url.split('?')[0] ?? '';
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/**
 * What a path comes to once percent sequences, dots and doubled slashes are resolved. CloudFront compares some such form
 * with its path patterns, so that a path is open only when both this and the path as it came are.
 */
function tidied(path: string): string {
  const { pathname } = new URL(
    decoded(path)
      .replace(/[\\/]+/g, '/')
      .replace(/^\//, ''),
    'http://cdn/',
  );
  return pathname.slice(1);
}

/** The key that a bucket reads from a path: percent sequences decoded, dots and slashes left as they are. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

function refuse(response: ServerResponse, code: string, message: string): void {
  response
    .writeHead(403, { ...policyHeaders, 'content-type': 'text/xml', 'cache-control': 'no-store' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    );
}

/** `code` and `message` are CloudFront's own. */
type SignatureCheck =
  | { readonly outcome: 'valid' }
  | {
      readonly outcome: 'refused';
      readonly code: 'MissingKey' | 'InvalidKey' | 'AccessDenied';
      readonly message: string;
    };

const signatureParameters = ['Expires', 'Signature', 'Key-Pair-Id', 'Hash-Algorithm'] as const;

/**
 * @param url as it was requested, byte by byte: parsing it first would forgive differences that CloudFront does not
 * @param keyPairId the only id that is known
 */
export function verifySignedUrl(
  url: string,
  publicKeyPem: string,
  keyPairId: string,
  nowMs: number,
): SignatureCheck {
  const [base = '', query = ''] = cut(url, '?');
  const parameters = query.split('&').map((text) => cut(text, '='));
  const valuesOf = (name: string) => parameters.filter(([key]) => key === name).map(([, value]) => value);
  const [expires, signature, key, hash] = signatureParameters.map(valuesOf) as [
    string[],
    string[],
    string[],
    string[],
  ];
  if (key.length === 0) return refused('MissingKey', 'Missing Key-Pair-Id query parameter or cookie value');
  if (key.length > 1 || key[0] !== keyPairId) return refused('InvalidKey', 'Unknown Key');
  const isComplete = [expires, signature, hash].every(({ length }) => length === 1);
  if (!isComplete || hash[0] !== 'SHA256' || !/^\d{1,12}$/.test(expires[0] ?? '')) return denied;
  const own = parameters.filter(([name]) => !(signatureParameters as readonly string[]).includes(name));
  const resource = own.length === 0 ? base : `${base}?${own.map((pair) => pair.join('=')).join('&')}`;
  const bytes = decodeSignature(signature[0] ?? '');
  if (!bytes) return denied;
  const policy = Buffer.from(cannedPolicy(resource, expires[0] ?? ''));
  if (!verify('sha256', policy, createPublicKey(publicKeyPem), bytes)) return denied;
  return Number(expires[0]) * 1_000 > nowMs ? { outcome: 'valid' } : denied;
}

function refused(code: 'MissingKey' | 'InvalidKey' | 'AccessDenied', message: string): SignatureCheck {
  return { outcome: 'refused', code, message };
}

const denied = refused('AccessDenied', 'Access denied');
