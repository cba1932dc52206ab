/** Tells requests that came through the service's own CloudFront distribution from those that reached the API directly. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { edgeHeaders } from '../contract/edge';

/** The distribution before the API. */
export interface Edge {
  /** Secrets of which it sends one with each request: several while they are rotated. */
  readonly locks: readonly string[];
  /** Root of the service as its callers see it, without a trailing slash. */
  readonly rootUrl: string;
}

/**
 * The edge that a function is configured for, or `undefined` where callers reach the API itself.
 * @throws `Error` when only one of the two variables is there, as an API must not stay open by mistake
 */
export function edgeOf({
  ORIGIN_LOCK: lock,
  ROOT_URL: rootUrl,
}: {
  readonly ORIGIN_LOCK: string | undefined;
  readonly ROOT_URL: string | undefined;
}): Edge | undefined {
  if (lock === undefined && rootUrl === undefined) return undefined;
  if (lock === undefined || rootUrl === undefined) throw new Error('ORIGIN_LOCK and ROOT_URL go together');
  return { locks: lock.split(' '), rootUrl };
}

/**
 * IP address of the viewer as the distribution saw it; `undefined` for a request that does not prove that it came from
 * there, whose headers any caller may have written.
 * @param valuesOf all values of a header, by its name in lower case
 */
export function viewerIpOf(
  valuesOf: (name: string) => readonly string[],
  { locks }: Edge,
): string | undefined {
  const [given, ...more] = valuesOf(edgeHeaders.lock);
  if (!given || more.length > 0 || !locks.some((lock) => isEqual(given, lock))) return undefined;
  return valuesOf(edgeHeaders.viewerIp)[0];
}

/** In a time that says nothing about either text. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}
