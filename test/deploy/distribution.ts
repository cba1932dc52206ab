/** Stands in for the distribution before the API, by what was deployed: its function, cache policy, origin and headers. */

import { randomUUID } from 'node:crypto';
import { runnerOf } from '../functions/edge/run-function';
import { awsHostOf, readEdge } from './edge';
import { createEdgeCache, type EdgeCache, type OriginAnswer } from './edge-cache';
import { fetchOver, responseOf } from './fetch-over';

/** A distribution with a function before its cache, as the emulated account reports it. */
export interface DeployedDistribution {
  readonly functionCode: string;
  readonly runtime: string;
  readonly cachePolicy: {
    readonly MaxTTL: number;
    readonly ParametersInCacheKeyAndForwardedToOrigin: {
      readonly HeadersConfig: { readonly Headers: readonly string[] };
    };
  };
  readonly origin: {
    readonly host: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

const caches = new Map<string, EdgeCache>();

/** The distribution behind a host name, or `undefined` for one without a function. */
export function distributionAt(hostname: string, edgeFile: string): DeployedDistribution | undefined {
  return readEdge(edgeFile).shaped[awsHostOf(hostname, edgeFile).split('.')[0] ?? ''];
}

/** Sends a request through a distribution as CloudFront would; an answer from its cache has an `Age`. */
export async function fetchThrough(
  { functionCode, cachePolicy, origin }: DeployedDistribution,
  url: URL,
  init: RequestInit = {},
  { port, viewerIp }: { readonly port: number; readonly viewerIp: string },
): Promise<Response> {
  const { method = 'GET' } = init;
  const { MaxTTL, ParametersInCacheKeyAndForwardedToOrigin: inKey } = cachePolicy;
  const rawHeaders = [...new Headers(init.headers)].flat();
  const request = { method, url: url.pathname + url.search, rawHeaders };
  const { target, headers } = runnerOf(functionCode)(request, viewerIp, randomUUID());
  const cache = caches.get(url.hostname) ?? createEdgeCache(MaxTTL, Date.now);
  caches.set(url.hostname, cache);
  const key = [target, ...inKey.HeadersConfig.Headers.map((name) => headers[name.toLowerCase()])].join('\n');
  const isKept = method === 'GET';
  const found = isKept ? cache.find(key) : undefined;
  if (found?.use === 'fresh') return asResponse(found.answer, { age: String(found.ageS) });
  const response = await fetchOver(port, new URL(`https://${origin.host}${origin.path}${target}`), {
    ...init,
    headers: { ...headers, ...origin.headers },
  });
  const answer: OriginAnswer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
  if (isKept) cache.store(key, answer);
  return asResponse(answer, {});
}

const asResponse = ({ status, headers, body }: OriginAnswer, more: Readonly<Record<string, string>>) =>
  responseOf(status, { ...(headers as Record<string, string>), ...more }, body);
