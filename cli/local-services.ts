/** What a local service says about itself, and the token by which it knows the commands of its user. */

import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { parseUrl } from '../lambda/base/parse-url';
import { failed, unreachable, wrongUsage } from './failure';

/** Where `npm start` serves unless it is told another port. */
export const localUrl = 'http://127.0.0.1:3000';

/** Header in which commands send the token of a start. */
export const tokenHeader = 'x-local-token';

/** Name under which a container reaches this machine. */
export const containerHost = 'host.docker.internal';

/** Names of the local functions and secrets, where AWS has physical ones. */
export const localNames = {
  renderer: 'renderer',
  generator: 'generator',
  signingSecret: 'signing-key',
  addressSecret: 'local-addresses',
  signerSecret: 'signer-master',
  contentSecret: 'content-credentials',
  providerSecret: 'provider-keys',
  keyPairId: 'LOCALKEYPAIR',
} as const;

/** Longest wait for a service on this machine, in milliseconds. */
const timeoutMs = 10_000;

/** What any service says of itself. */
export interface ServiceFacts {
  readonly url: string;
  readonly tables: Readonly<Record<'apiKeys' | 'quotaCounters' | 'images' | 'generationIndex', string>>;
  /** The operator's changes to the plans, as JSON. */
  readonly plans?: string;
  /** Images that may be generated per day for all accounts; no number for no ceiling. */
  readonly generationsPerDay?: string;
  /** How stock providers are configured, by the names of the variables. */
  readonly stockProviders: Readonly<Record<string, unknown>>;
}

/** What a local service answers at `/_local`, and the token by which it was reached. */
interface LocalDescription extends ServiceFacts {
  /** The access key id that its DynamoDB and the other services ask for; absent for a service without one. */
  readonly token: string | undefined;
  /** URLs of its DynamoDB, of the other AWS services that it calls, and of its images, `file:///folder`. */
  readonly dynamodb: string;
  readonly aws: string;
  readonly imageStore: string;
}

/** Asks a local service. @throws `Failure` */
export async function describeLocal(serviceUrl = localUrl): Promise<LocalDescription> {
  const root = parseUrl(/^https?:\/\//.test(serviceUrl) ? serviceUrl : `http://${serviceUrl}`);
  if (!root) throw wrongUsage(`--local takes the URL of a service, such as ${localUrl}.`);
  const { origin: url } = root;
  const token = tokenOf(url);
  const asked: RequestInit = {
    headers: { [tokenHeader]: token ?? '' },
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  };
  const answer = await fetch(`${url}/_local`, asked).catch((error: unknown) => {
    const start = 'Start one with "npm start", or name another with --local or --stack.';
    throw unreachable(`No service answers at ${url}. ${start}`, error);
  });
  if (answer.status === 403)
    throw unreachable(`${url} refuses this command. Run it as the user who started the service.`);
  const described = answer.ok ? await answer.json().catch(() => undefined) : undefined;
  if (!described?.imageStore) throw unreachable(`${url} answers, but it is no local image redirect service.`);
  return { ...(described as LocalDescription), url, token };
}

/** Where the token of a service is kept: readable for its user alone, and found from any folder. */
export function tokenFile(url: string): string {
  return join(tmpdir(), `image-redirect-${userInfo().uid}`, `${new URL(url).port}.token`);
}

/**
 * Leaves the token of a service while it runs; the returned function removes it.
 * @throws `Failure` when the folder of tokens is open to other users
 */
export function leaveToken(url: string, token: string): () => void {
  const file = tokenFile(url);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOwn = uid === userInfo().uid && (mode & 0o077) === 0;
  if (!isOwn && process.platform !== 'win32')
    throw failed(`${folder} is open to other users. Delete it, and start again.`);
  writeFileSync(file, token, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The token of the service at a URL; `undefined` when it keeps none, or another user started it. */
function tokenOf(url: string): string | undefined {
  try {
    return readFileSync(tokenFile(url), 'utf8');
  } catch {
    return undefined;
  }
}
