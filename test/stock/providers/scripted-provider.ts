/** A provider's server with scripted responses, for responses that no fake provider gives. */

import { needsKey, type StockProviderName } from '../../../lambda/contract/providers';
import type { Candidate } from '../../../lambda/images/image';
import { createProvider } from '../../../lambda/stock/providers/providers';
import { ProviderFailure, type StockProvider } from '../../../lambda/stock/stock-provider';
import { readSubject } from '../../../lambda/stock/subject';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

interface Script {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

export interface ScriptedProvider {
  readonly provider: StockProvider;
  readonly server: Loopback;
  /** Every request, with its path and query, headers and body. */
  readonly asked: {
    readonly url: URL;
    readonly headers: Record<string, unknown>;
    readonly method?: string;
    readonly body: string;
  }[];
  /** Answers so from now on, or as a function says for each request. */
  answer(script: Script | (() => Script)): void;
  /** Returns what the provider throws for a script. */
  failureOf(script: Script, words?: string): Promise<ProviderFailure>;
}

export const never = new AbortController().signal;

export async function startScriptedProvider(
  name: StockProviderName,
  settings: { nowMs?: () => number; readKey?: () => Promise<string> } = {},
): Promise<ScriptedProvider> {
  let next: Script | (() => Script) = { body: {} };
  const asked: { url: URL; headers: Record<string, unknown>; method?: string; body: string }[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    const { url = '/', method = '', headers } = request;
    const sent = (await request.toArray()).join('');
    asked.push({ url: new URL(url, server.address), headers, method, body: sent });
    const { body, ...answer } = typeof next === 'function' ? next() : next;
    response.writeHead(answer.status ?? 200, answer.headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const provider = createProvider(name, {
    endpoints: { [name]: server.address },
    readKey: settings.readKey ?? (async () => (needsKey(name) ? 'the-key' : undefined)),
    contact: 'https://service.example/docs',
    clock: { nowMs: () => settings.nowMs?.() ?? 0 },
  });
  return {
    provider,
    server,
    asked,
    answer(script) {
      next = script;
    },
    async failureOf(script, words = 'lake') {
      next = script;
      const thrown = await provider
        .search({ subject: readSubject(words), orientation: 'square' }, never, async () => true)
        .catch((error) => error);
      if (!(thrown instanceof ProviderFailure)) throw new Error('The provider did not fail.');
      return thrown;
    },
  };
}

/** Returns the candidates in an answer, of which there is one at least; all wanted requests are granted. */
export async function found(
  { provider, answer }: ScriptedProvider,
  body: unknown,
  words = 'lake',
): Promise<readonly [Candidate, ...Candidate[]]> {
  answer({ body });
  const query = { subject: readSubject(words), orientation: 'landscape' } as const;
  return (await provider.search(query, never, async () => true)) as readonly [Candidate, ...Candidate[]];
}
