/** Use this server where a test needs a response that no fake provider gives. */

import { needsKey, type StockProviderName } from '../../../lambda/contract/providers';
import type { Candidate } from '../../../lambda/images/image';
import { createProvider } from '../../../lambda/stock/providers/providers';
import { ProviderFailure } from '../../../lambda/stock/stock-provider';
import { parseSubject } from '../../../lambda/stock/subject';
import { listenOnLoopback } from '../../fakes/loopback';

interface Script {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

export const neverAborted = new AbortController().signal;

export async function startScriptedProvider(
  name: StockProviderName,
  settings: { nowMs?: () => number; readKey?: () => Promise<string> } = {},
) {
  let nextScript: Script | (() => Script) = { body: {} };
  /** All requests, in their order. */
  const requests: { url: URL; headers: Record<string, unknown>; method?: string; body: string }[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    const { url = '/', method = '', headers } = request;
    const requestBody = (await request.toArray()).join('');
    requests.push({ url: new URL(url, server.address), headers, method, body: requestBody });
    const { body, ...answer } = typeof nextScript === 'function' ? nextScript() : nextScript;
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
    requests,
    /** Sets the response to all later requests. A function is called for each request. */
    answer(script: Script | (() => Script)) {
      nextScript = script;
    },
    /** Sets the response, searches, and returns the error of the search. */
    async findFailure(script: Script) {
      nextScript = script;
      const failure = await provider
        .search({ subject: parseSubject('lake'), orientation: 'square' }, neverAborted, async () => true)
        .catch((error) => error);
      if (!(failure instanceof ProviderFailure)) throw new Error('The provider did not fail.');
      return failure;
    },
  };
}

/** Searches with a scripted reply. Each request of the adapter is granted. */
export async function findCandidates(
  { provider, answer }: ScriptedProvider,
  body: unknown,
  words = 'lake',
): Promise<readonly [Candidate, ...Candidate[]]> {
  answer({ body });
  const query = { subject: parseSubject(words), orientation: 'landscape' } as const;
  return (await provider.search(query, neverAborted, async () => true)) as readonly [
    Candidate,
    ...Candidate[],
  ];
}
