/** Finds a local service for commands, with the token that only its user can read. */

import { parseUrl } from '../lambda/base/parse';
import { localServiceTimeoutMs } from '../lambda/contract/timeouts';
import { readToken, tokenHeader } from '../local/token';
import { createUnreachableFailure, createUsageFailure } from './failure';

/** The URL that `npm start` has by default. */
export const localUrl = 'http://127.0.0.1:3000';

/** URL, tables and settings of a service, local or deployed. */
export interface ServiceFacts {
  readonly url: string;
  readonly tables: Readonly<Record<'apiKeys' | 'quotaCounters' | 'images' | 'generationIndex', string>>;
  /** Id of the secret that is the master of signers' secrets. */
  readonly signerSecretId: string;
  /** The setting `plans` as JSON. */
  readonly plans?: string;
  /** AI images of a day for all accounts. Without a limit it is no number. */
  readonly generationsPerDay?: string;
  /** The environment variables that configure stock providers. */
  readonly stockProviders: Readonly<Record<string, string>>;
}

/** A local service as `/_local` describes it, with its token. */
export interface LocalDescription extends ServiceFacts {
  /** The access key id for DynamoDB and the other services; absent without a token file. */
  readonly token: string | undefined;
  /** URLs of DynamoDB, of the other AWS services, and of the images (`file:///folder`). */
  readonly dynamodb: string;
  readonly aws: string;
  readonly imageStoreUrl: string;
}

/** Reads the description of a local service, or throws `Failure`. */
export async function readLocalDescription(serviceUrl = localUrl): Promise<LocalDescription> {
  const root = parseUrl(/^https?:\/\//.test(serviceUrl) ? serviceUrl : `http://${serviceUrl}`);
  if (!root) throw createUsageFailure(`--local takes the URL of a service, such as ${localUrl}.`);
  const { origin: url } = root;
  const token = readToken(url);
  const init: RequestInit = {
    headers: { [tokenHeader]: token ?? '' },
    signal: AbortSignal.timeout(localServiceTimeoutMs),
    redirect: 'error',
  };
  const response = await fetch(`${url}/_local`, init).catch(() => {
    const start = 'Start one with "npm start", or name another with --local or --stack.';
    throw createUnreachableFailure(`No service answers at ${url}. ${start}`);
  });
  if (response.status === 403)
    throw createUnreachableFailure(`${url} refuses you. Run it as the user who started the service.`);
  const description = (await response.json().catch(() => undefined)) as LocalDescription | undefined;
  if (!description?.imageStoreUrl)
    throw createUnreachableFailure(`${url} answers, but it is no local image redirect service.`);
  return { ...description, url, token };
}
