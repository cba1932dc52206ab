/** Fetches from a host at the port where the emulated account serves it. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

/** Statuses for which a `Response` may have no body. */
const bodiless = new Set([204, 205, 304]);

/** A response with these bytes, where it may have any. */
function responseOf(status: number, headers: HeadersInit, body: Uint8Array): Response {
  const hasBody = !bodiless.has(status) && body.byteLength > 0;
  return new Response(hasBody ? new Uint8Array(body) : null, { status, headers });
}

/** Like `fetch` for requests with a text or without a body; redirects are given back, never followed. */
export async function fetchOver(port: number, url: URL, init: RequestInit = {}): Promise<Response> {
  const asked = request({
    host: '127.0.0.1',
    port,
    servername: url.hostname,
    method: init.method ?? 'GET',
    path: url.pathname + url.search,
    headers: { accept: '*/*', ...Object.fromEntries(new Headers(init.headers)), host: url.host },
  });
  asked.end(typeof init.body === 'string' ? init.body : undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray());
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return responseOf(answer.statusCode ?? 0, headers, body);
}
