/** Opens and closes HTTP servers on this machine, guards them against other users, and reads bodies. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failed } from '../cli/failure';
import { tokenHeader } from '../cli/local-services';
import { readBytes } from '../lambda/base/read-bytes';
import { isLoopbackHost } from '../lambda/images/allowed-url';

/** Host name of this machine in a container. */
export const containerHost = 'host.docker.internal';

/** Answers a request. Its promise, which never rejects, resolves when all work of the request is done. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Listening {
  readonly url: string;
  /** Answers all further requests by another listener. */
  serve(listener: Listener): void;
  /** Closes the server and its connections: at once, or when all requests are done or `grace` resolves. */
  stop(grace?: Promise<unknown>): Promise<void>;
}

/** The reasons why a port cannot be opened, by the code of the error. */
const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Choose another with --port N.',
  EACCES: 'needs more rights than this user has. Choose one above 1023 with --port N.',
};

/**
 * Opens a server.
 * @param port 0 for any free one
 * @param first answers until another listener does
 * @param host the interface; containers reach `0.0.0.0`
 * @throws `Failure` when the port cannot be opened
 */
export async function openServer(port: number, first: Listener, host = '127.0.0.1'): Promise<Listening> {
  let listener = first;
  const inFlight = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    const closed = new Promise((resolve) => response.once('close', resolve));
    // The response of a caller that has gone closes, while its request may still have work to do.
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
  const serve = (next: Listener) => {
    listener = next;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, serve, stop };
}

/**
 * Guards a listener against web pages, other host names (DNS rebinding), and callers without the token.
 * @param token in the header of the commands, or the access key id of the AWS SDK; absent in tests
 */
export function guardedListener(listener: Listener, token?: string): Listener {
  return (request, response) => {
    const { origin, host = '', authorization = '', [tokenHeader]: sent } = request.headers;
    const isOwnHost = isLoopbackHost(host.replace(/:\d+$/, '').toLowerCase());
    const signer = /\bCredential=([^/,\s]+)\//.exec(authorization)?.[1];
    const isKnown = token === undefined || sent === token || signer === token;
    if (origin === undefined && isKnown && (isOwnHost || host.startsWith(`${containerHost}:`)))
      return listener(request, response);
    response.writeHead(403, { connection: 'close' }).end();
  };
}

/** Reads the body of a request; `undefined` for a longer one, the rest of which is left unread. */
export async function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  // A body that states its length is refused before it is read.
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return undefined;
  return readBytes(request, bytesMax);
}
