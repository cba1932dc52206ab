/** Sends one GET to a public IP address, or to this machine when the URL itself names it. */

import { type LookupAddress, lookup as lookUpName } from 'node:dns';
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
  | { readonly outcome: 'failed'; readonly reason: string; readonly mayPass?: true };

/** How a file is requested, and how much of it is read. */
export interface DownloadOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves a name to public IP addresses only. The connection goes to the very IP address that was checked, so that a name
 * cannot be public when it is looked at and private when it is used.
 */
export function lookUpPublicly(resolve: typeof lookUpName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, resolved) => {
      const addresses = (resolved as LookupAddress[] | undefined)?.filter(({ address }) =>
        isPublicIp(address),
      );
      const first = addresses?.[0];
      if (error || !first) {
        callback(error ?? new NotPublic('the host has no public IP address'), '', 0);
      } else if (options.all) {
        (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

/** A name that leads into a private network only. */
class NotPublic extends Error {}

/**
 * @param resolveName stands in for the machine's resolver in a test
 * @param silenceMsMax longest time without a byte, in milliseconds
 * @throws the signal's reason when it is aborted; everything else that goes wrong is `failed`
 */
export function download(
  url: ProviderUrl,
  { headers, bytesMax, signal }: DownloadOptions,
  resolveName: typeof lookUpName = lookUpName,
  silenceMsMax = downloadSilenceMsMax,
): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const { protocol, hostname } = new URL(url);
    const request = (protocol === 'https:' ? requestHttps : requestHttp)(url, {
      headers: { ...headers, 'accept-encoding': 'identity' },
      agent: false,
      timeout: silenceMsMax,
      signal,
      ...(isLoopbackHost(hostname) ? {} : { lookup: lookUpPublicly(resolveName) }),
    });
    const end = (answer: Downloaded) => {
      resolve(answer);
      request.destroy();
    };
    const fail = (error: Error) =>
      signal.aborted
        ? reject(signal.reason)
        : end({
            outcome: 'failed',
            reason: error.message,
            ...(!(error instanceof NotPublic) && { mayPass: true }),
          });
    request.on('timeout', () => end({ outcome: 'failed', reason: 'the connection stalled', mayPass: true }));
    request.on('error', fail);
    request.on('response', (response) => read(response, bytesMax, end, fail));
    request.end();
  });
}

function read(
  response: IncomingMessage,
  bytesMax: number,
  end: (answer: Downloaded) => void,
  fail: (error: Error) => void,
): void {
  const { statusCode = 0, headers } = response;
  const tooLarge: Downloaded = { outcome: 'failed', reason: `more than ${bytesMax} bytes` };
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    end({ outcome: 'redirected', location: headers.location });
  } else if (statusCode !== 200) {
    const mayPass = statusCode >= 500 || statusCode === 429 || statusCode === 408;
    end({ outcome: 'failed', reason: `the status is ${statusCode}`, ...(mayPass && { mayPass }) });
  } else if (Number(headers['content-length'] ?? 0) > bytesMax) {
    end(tooLarge);
  } else {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) end(tooLarge);
      else chunks.push(chunk);
    });
    response.on('error', fail);
    response.on('close', () => fail(new Error('the connection was closed')));
    response.on('end', () => end({ outcome: 'downloaded', bytes: Buffer.concat(chunks) }));
  }
}
