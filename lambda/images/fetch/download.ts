/** Sends one GET to a public IP address, or to this machine when the URL itself names it. */

import { type LookupAddress, lookup as lookUpName } from 'node:dns';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { downloadSilenceMsMax } from '../../contract/timeouts';
import { isLoopbackHost, type ProviderUrl } from '../allowed-url';
import { isPublicIp } from './public-ip';

type Downloaded =
  | { readonly outcome: 'downloaded'; readonly bytes: Uint8Array }
  | { readonly outcome: 'redirected'; readonly location: string }
  /** `mayPass` where the server was not reached or is not well: the same URL may work later. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly mayPass?: boolean };

/** How a file is requested, and how much of it is read. */
export interface DownloadOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** A name that leads into a private network only. */
class NotPublic extends Error {}

/**
 * Resolves a name to public IP addresses only. The connection goes to the very IP address that was checked, so that a name
 * cannot be public when it is looked at and private when it is used.
 */
export function lookUpPublicly(resolve: typeof lookUpName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, resolved) => {
      const all = (resolved as LookupAddress[] | undefined)?.filter(({ address }) => isPublicIp(address));
      const [first] = all ?? [];
      if (error || !first) callback(error ?? new NotPublic('the host has no public IP address'), '', 0);
      else if (options.all) callback(null, all as never);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * @param resolveName stands in for the machine's resolver in a test
 * @param silenceMsMax longest time without a byte, in milliseconds
 * @throws the signal's reason when it is aborted; everything else that goes wrong is `failed`
 */
export async function download(
  url: ProviderUrl,
  { headers, bytesMax, signal }: DownloadOptions,
  resolveName: typeof lookUpName = lookUpName,
  silenceMsMax = downloadSilenceMsMax,
): Promise<Downloaded> {
  signal.throwIfAborted();
  const { protocol, hostname } = new URL(url);
  const request = (protocol === 'https:' ? requestHttps : requestHttp)(url, {
    headers: { ...headers, 'accept-encoding': 'identity' },
    agent: false,
    timeout: silenceMsMax,
    signal,
    ...(isLoopbackHost(hostname) ? {} : { lookup: lookUpPublicly(resolveName) }),
  });
  request.on('timeout', () => request.destroy(new Error('the connection stalled')));
  // What goes wrong once the answer has begun is told by the answer.
  request.on('error', () => undefined);
  try {
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await read(response, bytesMax);
  } catch (error) {
    signal.throwIfAborted();
    return failed((error as Error).message, !(error instanceof NotPublic));
  } finally {
    request.destroy();
  }
}

async function read(response: IncomingMessage, bytesMax: number): Promise<Downloaded> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined)
    return { outcome: 'redirected', location: headers.location };
  if (statusCode !== 200)
    return failed(
      `the status is ${statusCode}`,
      statusCode >= 500 || statusCode === 429 || statusCode === 408,
    );
  const tooLarge = failed(`more than ${bytesMax} bytes`);
  if (Number(headers['content-length'] ?? 0) > bytesMax) return tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > bytesMax) return tooLarge;
    chunks.push(chunk);
  }
  return { outcome: 'downloaded', bytes: Buffer.concat(chunks) };
}

function failed(reason: string, mayPass = false): Downloaded {
  return { outcome: 'failed', reason, ...(mayPass && { mayPass }) };
}
