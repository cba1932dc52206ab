/** The local CloudFront distribution before the API: runs the edge's function, keeps answers, asks the origin over HTTP. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { edgeHeaders, edgeKeyHeaders, sharedCachingS } from '../../lambda/contract/edge';
import { createEdgeCache, type Found, type KeptAnswer } from './edge-cache';
import { runnerOf, type ShapedRequest } from './viewer-request';

export interface EdgeOptions {
  /** Root of the API behind it, without a trailing slash. */
  readonly originUrl: string;
  /** What it proves itself by to the API. */
  readonly lock: string;
  /** Source of the CloudFront Function. */
  readonly code: string;
  readonly nowMs: () => number;
  /** Receives the requests that the origin did not answer. */
  readonly onFault: (error: unknown) => void;
}

/** Answers one request of a viewer. Rejects when the request cannot be read. */
export type LocalEdge = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Headers of one connection, and those that CloudFront does not send to the origin. */
const notSent = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'cookie'];
const notReturned = ['connection', 'keep-alive', 'transfer-encoding'];

export function createLocalEdge({ originUrl, lock, code, nowMs, onFault }: EdgeOptions): LocalEdge {
  const shape = runnerOf(code);
  const cache = createEdgeCache(sharedCachingS.fresh, nowMs);

  const ask = async (method: string, { target, headers }: ShapedRequest, body?: IncomingMessage) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !notSent.includes(name)));
    const asked = openRequest(originUrl + target, { method, headers: { ...sent, [edgeHeaders.lock]: lock } });
    if (body) body.pipe(asked);
    else asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const returned = Object.entries(answer.headers).filter(([name]) => !notReturned.includes(name));
    return {
      status: answer.statusCode ?? 502,
      headers: Object.fromEntries(returned),
      body: Buffer.concat(await answer.toArray()),
    } satisfies KeptAnswer;
  };

  return async (request, response) => {
    const { method = 'GET' } = request;
    const shaped = shape(request, request.socket.remoteAddress ?? '127.0.0.1', randomUUID());
    if (method !== 'GET' && method !== 'HEAD')
      return send(response, method, await ask(method, shaped, request), 'Miss');
    const key = [shaped.target, ...edgeKeyHeaders.map((name) => shaped.headers[name])].join('\n');
    const refresh = async () => {
      const answer = await ask(method, shaped);
      if (method === 'GET') cache.store(key, answer);
      return answer;
    };
    const found = cache.find(key);
    if (found?.use === 'fresh') return sendFound(response, method, found);
    if (found?.use === 'while-revalidating') {
      refresh().catch(onFault);
      return sendFound(response, method, found);
    }
    try {
      const answer = await refresh();
      if (answer.status < 500 || !found) return send(response, method, answer, 'Miss');
    } catch (error) {
      onFault(error);
      if (!found) return void response.writeHead(502).end();
    }
    return sendFound(response, method, found);
  };
}

function sendFound(response: ServerResponse, method: string, { answer, ageS }: Found): void {
  send(response, method, { ...answer, headers: { ...answer.headers, age: String(ageS) } }, 'Hit');
}

/** CloudFront puts its own `X-Cache` in the place of the origin's. */
function send(
  response: ServerResponse,
  method: string,
  { status, headers, body }: KeptAnswer,
  cache: 'Hit' | 'Miss',
): void {
  for (const [name, value] of Object.entries({ ...headers, 'x-cache': `${cache} from cloudfront` }))
    if (value !== undefined) response.setHeader(name, value as string | string[]);
  response.writeHead(status);
  response.end(method === 'HEAD' ? undefined : body);
}
