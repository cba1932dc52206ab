/** Verifies signed URLs in place of CloudFront, with the deployed key; the emulated CloudFront verifies none. */

import { readFileSync } from 'node:fs';
import { isValidlySigned } from '../../local/cdn';
import { readFacts } from '../../tools/deploy-test/facts';

/** The deployed resources and what happened, as the emulated account reports them. */
interface Edge {
  /** Names of the alarms that reached their topic, and of those whose topic did not let them. */
  readonly alarms: { readonly delivered: readonly string[]; readonly refused: readonly string[] };
  /** Actions by the role that called them. */
  readonly access: Readonly<
    Record<string, { readonly allowed: readonly string[]; readonly denied: readonly string[] }>
  >;
  /** PEM by id. */
  readonly publicKeys: Readonly<Record<string, string>>;
  /** Ids of public keys by id of their group. */
  readonly keyGroups: Readonly<Record<string, readonly string[]>>;
  /** By the first label of their names: path patterns in the order in which they are tried. */
  readonly distributions: Readonly<
    Record<string, readonly { readonly path: string; readonly keyGroups: readonly string[] }[]>
  >;
  /** What names in the zones of the account point to. */
  readonly names: Readonly<Record<string, string>>;
}

export function readEdge(edgeFile: string): Edge {
  return JSON.parse(readFileSync(edgeFile, 'utf8')) as Edge;
}

/** What the roles of the stack whose names contain a text were allowed and denied, by role; the stack before has its own. */
export function accessOf(name: string): Edge['access'] {
  const { stack, edgeFile } = readFacts();
  const ours = Object.entries(readEdge(edgeFile).access).filter(
    ([role]) => role.startsWith(`${stack}-`) && role.includes(name),
  );
  expect(ours).not.toEqual([]);
  return Object.fromEntries(ours);
}

/** AWS's own name of a host: what DNS leads to. */
export function awsHostOf(hostname: string, edgeFile: string): string {
  return readEdge(edgeFile).names[hostname] ?? hostname;
}

/** CloudFront's refusal of a URL, or `undefined` if it may be fetched. */
export function edgeRefusal(url: string, edgeFile: string): Response | undefined {
  const { hostname, pathname } = new URL(url);
  const host = awsHostOf(hostname, edgeFile);
  if (!host.endsWith('.cloudfront.net')) return undefined;
  const edge = readEdge(edgeFile);
  const behaviors = edge.distributions[host.split('.')[0] ?? ''];
  if (!behaviors) throw new Error(`${hostname} was not deployed.`);
  // Whatever form CloudFront compares, a path is open only when it is in every form.
  const forms = [pathname, new URL(decodeURIComponent(pathname), 'https://edge').pathname];
  const keyGroups = forms.flatMap(
    (form) => behaviors.find(({ path }) => matches(path, form))?.keyGroups ?? [],
  );
  if (keyGroups.length === 0) return undefined;
  const keyIds = keyGroups.flatMap((group) => edge.keyGroups[group] ?? []);
  const checks = keyIds.map((id) => isValidlySigned(url, edge.publicKeys[id] ?? '', id, Date.now()));
  if (checks.includes(true)) return undefined;
  return new Response(JSON.stringify(checks), { status: 403 });
}

/** `*` matches any characters; the leading slash of a pattern is optional. */
function matches(pattern: string, pathname: string): boolean {
  const parts = pattern.replace(/^\//, '').split('*');
  const text = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  return new RegExp(`^/${text}$`).test(pathname);
}
