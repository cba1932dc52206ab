/** Verifies signed URLs in place of CloudFront, with the deployed key; the emulated CloudFront verifies none. */

import { readFileSync } from 'node:fs';
import { verifySignedUrl } from '../../bin/local/cdn/verify-signed-url';

/** The deployed resources, as the emulated account reports them. */
interface Edge {
  /** PEM by id. */
  readonly publicKeys: Readonly<Record<string, string>>;
  /** Ids of public keys by id of their group. */
  readonly keyGroups: Readonly<Record<string, readonly string[]>>;
  /** By the first label of their names: path patterns in the order in which they are tried. */
  readonly distributions: Readonly<
    Record<string, readonly { readonly path: string; readonly keyGroups: readonly string[] }[]>
  >;
}

/** CloudFront's refusal of a URL, or `undefined` if it may be fetched. */
export function edgeRefusal(url: string, edgeFile: string): Response | undefined {
  const { hostname, pathname } = new URL(url);
  if (!hostname.endsWith('.cloudfront.net')) return undefined;
  const edge = JSON.parse(readFileSync(edgeFile, 'utf8')) as Edge;
  const behaviors = edge.distributions[hostname.split('.')[0] ?? ''];
  if (!behaviors) throw new Error(`${hostname} was not deployed.`);
  const { keyGroups = [] } = behaviors.find(({ path }) => matches(path, pathname)) ?? {};
  if (keyGroups.length === 0) return undefined;
  const keyIds = keyGroups.flatMap((group) => edge.keyGroups[group] ?? []);
  const checks = keyIds.map((id) => verifySignedUrl(url, edge.publicKeys[id] ?? '', id, Date.now()));
  if (checks.some(({ outcome }) => outcome === 'valid')) return undefined;
  return new Response(JSON.stringify(checks), { status: 403 });
}

/** `*` matches any characters; the leading slash of a pattern is optional. */
function matches(pattern: string, pathname: string): boolean {
  const parts = pattern.replace(/^\//, '').split('*');
  const text = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  return new RegExp(`^/${text}$`).test(pathname);
}
