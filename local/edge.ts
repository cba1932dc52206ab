/** The local CloudFront edge before the API: runs the CloudFront Function, caches answers, and reaches the API over HTTP. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { createContext, runInContext } from 'node:vm';
import { edgeHeaders, edgeKeyHeaders, sharedCachingS } from '../lambda/contract/edge';
import type { handler, ViewerRequest } from '../lambda/functions/edge/viewer-request';
import { viewerRequestCode } from '../lib/edge/viewer-request-code';
import { cut, type Grace, includesTag, listen } from './http';

interface EdgeOptions {
  /** The API. Never rejects. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** What the edge proves itself by to the API; the functions know it from their environment. */
  readonly lock: string;
  readonly nowMs: () => number;
  /** Receives the requests that the API did not answer. */
  readonly onFault: (error: unknown) => void;
}

/** The running edge. */
export interface StartedEdge {
  /** Answers one request of a viewer. Rejects when the request cannot be read. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Where the API itself is. */
  readonly originUrl: string;
  /** Invalidates all that it has kept. */
  forget(): void;
  stop(grace: Grace): Promise<void>;
}

/** Headers of one connection, and those that CloudFront does not send to the origin; it answers conditional requests itself. */
const notSent = [
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'cookie'],
  ...['if-none-match', 'if-modified-since'],
];
const notReturned = ['connection', 'keep-alive', 'transfer-encoding'];

/** Starts the edge: the API moves to a port of its own, which the edge alone is to use. */
export async function startLocalEdge({ api, lock, nowMs, onFault }: EdgeOptions): Promise<StartedEdge> {
  const { url: originUrl, stop } = await listen(0, api);
  const shape = runnerOf(viewerRequestCode());
  const cache = createEdgeCache(sharedCachingS.fresh, nowMs);

  const fetchOrigin = async (method: string, { target, headers }: ShapedRequest, body?: IncomingMessage) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !notSent.includes(name)));
    const request = openRequest(originUrl + target, {
      method,
      headers: { ...sent, [edgeHeaders.lock]: lock },
    });
    if (body) body.pipe(request);
    else request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const returned = Object.entries(answer.headers).filter(([name]) => !notReturned.includes(name));
    return {
      status: answer.statusCode ?? 502,
      headers: Object.fromEntries(returned),
      body: Buffer.concat(await answer.toArray()),
    } satisfies OriginAnswer;
  };

  const answer: StartedEdge['answer'] = async (request, response) => {
    const { method = 'GET' } = request;
    const shaped = shape(request, request.socket.remoteAddress ?? '127.0.0.1', randomUUID());
    if (method !== 'GET' && method !== 'HEAD')
      return send(response, request, await fetchOrigin(method, shaped, request), 'Miss');
    const key = [shaped.target, ...edgeKeyHeaders.map((name) => shaped.headers[name])].join('\n');
    const refresh = async () => {
      const fetched = await fetchOrigin(method, shaped);
      if (method === 'GET') cache.store(key, fetched);
      return fetched;
    };
    const cached = cache.find(key);
    if (cached?.use === 'fresh') return sendCached(response, request, cached);
    if (cached?.use === 'while-revalidating') {
      refresh().catch(onFault);
      return sendCached(response, request, cached);
    }
    try {
      const fetched = await refresh();
      if (fetched.status < 500 || !cached) return send(response, request, fetched, 'Miss');
    } catch (error) {
      onFault(error);
      if (!cached) return void response.writeHead(502).end();
    }
    return sendCached(response, request, cached);
  };
  return { answer, originUrl, forget: cache.forget, stop };
}

function sendCached(
  response: ServerResponse,
  request: IncomingMessage,
  { answer, ageS }: CachedAnswer,
): void {
  send(response, request, { ...answer, headers: { ...answer.headers, age: String(ageS) } }, 'Hit');
}

/** CloudFront puts its own `X-Cache` in the place of the origin's, and answers 304 where the viewer has the answer already. */
function send(
  response: ServerResponse,
  { method, headers: { 'if-none-match': tags } }: IncomingMessage,
  { status, headers, body }: OriginAnswer,
  cache: 'Hit' | 'Miss',
): void {
  for (const [name, value] of Object.entries({ ...headers, 'x-cache': `${cache} from cloudfront` }))
    if (value !== undefined) response.setHeader(name, value as string | string[]);
  if (status === 200 && typeof headers['etag'] === 'string' && includesTag(tags, headers['etag'])) {
    response.removeHeader('content-length');
    return void response.writeHead(304).end();
  }
  response.writeHead(status);
  response.end(method === 'HEAD' ? undefined : body);
}

/** What the function has made of a request. */
interface ShapedRequest {
  /** Path and query string, percent-encoded. */
  readonly target: string;
  /** Values by name in lower case; those of a header that came more than once are joined. */
  readonly headers: Readonly<Record<string, string>>;
}

type ShapeRequest = (
  request: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>,
  viewerIp: string,
  requestId: string,
) => ShapedRequest;

/** @param code the function's source, with a global `handler`; it has the language and nothing else */
export function runnerOf(code: string): ShapeRequest {
  const run = runInContext(`${code}\nhandler`, createContext({}, { codeGeneration: { strings: false } }));
  return ({ method = 'GET', url = '/', rawHeaders }, ip, requestId) => {
    const [uri = '/', search = ''] = cut(url, '?');
    const request: ViewerRequest = {
      method,
      uri: uri === '' ? '/' : uri,
      querystring: valuesOf(search.split('&').flatMap((pair) => (pair === '' ? [] : [cut(pair, '=')]))),
      headers: valuesOf(
        rawHeaders.flatMap((name, i) =>
          i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1] ?? ''] as const] : [],
        ),
      ),
    };
    const shaped = (run as typeof handler)({ context: { requestId }, viewer: { ip }, request });
    const query = typeof shaped.querystring === 'string' ? shaped.querystring : '';
    const headers = Object.entries(shaped.headers).flatMap(([name, values]) =>
      values ? [[name, (values.multiValue ?? [values]).map(({ value }) => value).join(', ')]] : [],
    );
    return {
      target: query === '' ? shaped.uri : `${shaped.uri}?${query}`,
      headers: Object.fromEntries(headers),
    };
  };
}

/** CloudFront's form: the last value, and all of them where there are several. */
function valuesOf(pairs: readonly (readonly [string, string])[]) {
  const all = new Map<string, { value: string }[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), { value }]);
  return Object.fromEntries(
    [...all].map(([name, multiValue]) => [
      name,
      { value: multiValue.at(-1)?.value ?? '', ...(multiValue.length > 1 ? { multiValue } : {}) },
    ]),
  );
}

/** An answer of the origin, as it is sent to the viewer. */
export interface OriginAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

interface CachedAnswer {
  readonly answer: OriginAnswer;
  /** Seconds since it was stored. */
  readonly ageS: number;
  /** Whether it may be sent at once, sent while it is fetched again, or only in place of an error. */
  readonly use: 'fresh' | 'while-revalidating' | 'if-error';
}

/** Answers by key, as CloudFront keeps them. */
export interface EdgeCache {
  find(key: string): CachedAnswer | undefined;
  /** Stores an answer if it may be kept; otherwise an earlier one is forgotten, unless this one is an error. */
  store(key: string, answer: OriginAnswer): void;
  /** Forgets all answers. */
  forget(): void;
}

const entriesMax = 1_000;

/** @param freshSMax longest time that an answer counts as fresh, in seconds */
export function createEdgeCache(freshSMax: number, nowMs: () => number): EdgeCache {
  const entries = new Map<string, { readonly answer: OriginAnswer; readonly storedMs: number }>();

  return {
    forget: () => entries.clear(),
    find(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const { fresh, stale, error } = lifetimesOf(entry.answer, freshSMax);
      const { answer } = entry;
      const ageS = Math.floor((nowMs() - entry.storedMs) / 1_000);
      if (ageS < fresh) return { answer, ageS, use: 'fresh' };
      if (ageS < fresh + stale) return { answer, ageS, use: 'while-revalidating' };
      if (ageS < fresh + error) return { answer, ageS, use: 'if-error' };
      entries.delete(key);
      return undefined;
    },
    store(key, answer) {
      if (answer.status >= 400) return;
      entries.delete(key);
      if (lifetimesOf(answer, freshSMax).fresh <= 0) return;
      entries.set(key, { answer, storedMs: nowMs() });
      const [oldest] = entries.keys();
      if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest);
    },
  };
}

/** Seconds that an answer is fresh, and after that may be used while it is fetched again or cannot be. */
function lifetimesOf({ headers }: OriginAnswer, freshSMax: number) {
  const directives = new Map(
    String(headers['cache-control'] ?? 'no-store')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', value = ''] = part.trim().split('=');
        return [name, value] as const;
      }),
  );
  const seconds = (name: string) => Number(directives.get(name) ?? 0);
  if (['private', 'no-store', 'no-cache'].some((name) => directives.has(name)))
    return { fresh: 0, stale: 0, error: 0 };
  return {
    fresh: Math.min(freshSMax, seconds(directives.has('s-maxage') ? 's-maxage' : 'max-age')),
    stale: seconds('stale-while-revalidate'),
    error: seconds('stale-if-error'),
  };
}
