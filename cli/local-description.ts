/** Asks a local service where its tables are: the one that runs, or the one at a URL. */

import { parseUrl } from '../lambda/base/parse-url';
import { unreachable, wrongUsage } from './failure';
import { runningServices } from './running-services';
import { tokenHeader, tokenOf } from './tokens';

/** Longest wait for a service on this machine, in milliseconds. */
const timeoutMs = 3_000;

export interface LocalDescription {
  /** URL of the service. */
  readonly url: string;
  /** The access key id that its DynamoDB and the other services ask for; absent for a service without one. */
  readonly token?: string;
  /** URL of its DynamoDB, and the tables in there by their names in the contract. */
  readonly dynamodb: string;
  readonly tables: Readonly<Record<string, string>>;
  /** URL of the other AWS services that it calls. */
  readonly aws?: string;
  /** The operator's changes to the plans, as JSON. */
  readonly plans?: string;
  /** The day's ceiling on generations. */
  readonly generationsPerDay?: string;
  /** How stock providers are configured, by the names of the variables. */
  readonly stockProviders?: Readonly<Record<string, unknown>>;
}

/**
 * @param serviceUrl of the service; absent for the one that runs
 * @throws `Failure`
 */
export async function describeLocal(serviceUrl?: string): Promise<LocalDescription> {
  const url = serviceUrl === undefined ? theOneRunning() : rootOf(serviceUrl);
  const token = tokenOf(url);
  const { dynamodb, tables, ...more } = await ask(url, token);
  if (!dynamodb || !tables) throw unreachable(`${url} answers, but it is no local image redirect service.`);
  return { url, dynamodb, tables, ...more, ...(token === undefined ? {} : { token }) };
}

function rootOf(text: string): string {
  const url = parseUrl(/^https?:\/\//.test(text) ? text : `http://${text}`);
  if (!url) throw wrongUsage('--local takes the URL of a service, such as http://127.0.0.1:3000.');
  return url.origin;
}

function theOneRunning(): string {
  const [first, ...others] = runningServices();
  if (first === undefined)
    throw unreachable('No local service runs. Start one with "npm start", or name a stack with --stack.');
  if (others.length > 0)
    throw wrongUsage(`Several local services run: ${[first, ...others].join(', ')}. Pick one with --local.`);
  return first;
}

async function ask(url: string, token = ''): Promise<Partial<Omit<LocalDescription, 'url' | 'token'>>> {
  let answer: Response;
  try {
    answer = await fetch(`${url}/_local`, {
      headers: { [tokenHeader]: token },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
  } catch (error) {
    throw unreachable(`No service answers at ${url}. Is it running?`, error);
  }
  if (answer.status === 403)
    throw unreachable(`${url} refuses this command. Run it as the user who started the service.`);
  if (!answer.ok) throw unreachable(`${url} answers, but it is no local image redirect service.`);
  return answer.json().catch(() => ({})) as Promise<Partial<LocalDescription>>;
}
