/** The CDN of the local service: open images of the library for everyone, all else for holders of a signed URL only. */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ImageLibrary } from '../../lambda/images/image-library';
import { isLibraryPath, isPrivatePath } from '../../lambda/images/library-path';
import { verifySignedUrl } from './verify-signed-url';

export interface CdnOptions {
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
    if (names(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end();
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

/** Whether an `If-None-Match` header names an entity tag. */
function names(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function refuse(response: ServerResponse, code: string, message: string): void {
  response
    .writeHead(403, { ...policyHeaders, 'content-type': 'text/xml', 'cache-control': 'no-store' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    );
}
