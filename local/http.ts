/** HTTP servers on this machine: opening and closing one, guarding it against other users, and reading bodies within a limit. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failed } from '../cli/failure';
import { containerHost, tokenHeader } from '../cli/local-services';

/** Answers a request; a promise, which never rejects, ends with the work that the request has begun. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server that listens. */
export interface Listening {
  readonly url: string;
  /** Takes no more connections, and ends those that are open: at once, or once their requests are answered or `grace` resolves. */
  stop(grace?: Promise<unknown>): Promise<void>;
}

/** Why a port is not to be had. */
const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Choose another with --port N.',
  EACCES: 'needs more rights than this user has. Choose one above 1023 with --port N.',
};

/**
 * @param port 0 for any free one
 * @param host the interface, which containers reach too where it is `0.0.0.0`
 * @throws `Failure` when the port is not to be had
 */
export async function listen(port: number, listener: Listener, host = '127.0.0.1'): Promise<Listening> {
  const inFlight = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    const closed = new Promise((resolve) => response.once('close', resolve));
    // The response of a caller that has gone closes while its request may still have work to hand over.
    const done: Promise<unknown> = Promise.all([listener(request, response), closed]).finally(() =>
      inFlight.delete(done),
    );
    inFlight.add(done);
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const refusal = refusals[error.code ?? ''];
    throw refusal ? failed(`Port ${port} ${refusal}`) : error;
  });
  const stop = async (grace?: Promise<unknown>) => {
    const closed = new Promise((resolve) => server.close(resolve));
    if (grace) await Promise.race([Promise.all(inFlight), grace]);
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/**
 * A listener that answers 403 to a request of a web page, under another name of this machine (DNS rebinding), or without
 * the token: in the header of the commands, or as the access key id with which the AWS SDK signs.
 * @param token absent for a listener that a test has for itself
 */
export function guarded(listener: Listener, token?: string): Listener {
  return (request, response) => {
    const { origin, host = '', authorization = '', [tokenHeader]: given } = request.headers;
    const isOwnHost = /^(127\.0\.0\.1|localhost|\[::1\])$/i.test(host.replace(/:\d+$/, ''));
    const signer = /\bCredential=([^/,\s]+)\//.exec(authorization)?.[1];
    const isKnown = token === undefined || given === token || signer === token;
    if (origin === undefined && isKnown && (isOwnHost || host.startsWith(`${containerHost}:`)))
      return listener(request, response);
    response.writeHead(403, { connection: 'close' }).end();
  };
}

/** The body of a request; `undefined` when it is longer than `bytesMax`: the rest is left unread, and the connection ends. */
export async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  // A length that is stated is believed before anything is read.
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
