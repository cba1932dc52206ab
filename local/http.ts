/** Opens and closes HTTP servers on this machine, and guards them against other users and web pages. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGeneralFailure } from '../cli/failure';
import { isLoopbackHost } from '../lambda/images/allowed-url';
import { tokenHeader } from './token';

/** Host name of this machine in a container. */
export const containerHost = 'host.docker.internal';

/** Responds to a request. The promise resolves when all work of the request is done, and never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Listening {
  readonly url: string;
  /** Hands all further requests to another listener. */
  serve(listener: Listener): void;
  /** Closes the server and its connections at once. With `grace` it waits for requests until that resolves. */
  stop(grace?: Promise<unknown>): Promise<void>;
}

/**
 * Opens a server.
 * @param port 0 for any free one
 * @param first the listener until `serve` names another
 * @param host the network interface; containers need `0.0.0.0`
 * @throws `Failure` when the port is in use
 */
export async function openServer(port: number, first: Listener, host = '127.0.0.1'): Promise<Listening> {
  let listener = first;
  const inFlight = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    const responseClose = new Promise((resolve) => response.once('close', resolve));
    // The response closes when its caller has gone, but the request may still have work to do.
    const done: Promise<unknown> = Promise.all([listener(request, response), responseClose]).finally(() =>
      inFlight.delete(done),
    );
    inFlight.add(done);
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw createGeneralFailure(`Port ${port} is in use. Choose another with --port N.`);
  });
  const stop = async (grace?: Promise<unknown>) => {
    const serverClose = new Promise((resolve) => server.close(resolve));
    if (grace) await Promise.race([Promise.all(inFlight), grace]);
    server.closeAllConnections();
    await serverClose;
  };
  const serve = (next: Listener) => {
    listener = next;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, serve, stop };
}

/**
 * Guards a listener against web pages, other host names (DNS rebinding), and callers without the token.
 * @param token commands send it in a header, the AWS SDK as access key id; absent in tests
 */
export function guardListener(listener: Listener, token?: string): Listener {
  return (request, response) => {
    const { origin, host = '', authorization = '', [tokenHeader]: sentToken } = request.headers;
    const isOwnHost = isLoopbackHost(host.replace(/:\d+$/, '').toLowerCase());
    const signer = /\bCredential=([^/,\s]+)\//.exec(authorization)?.[1];
    const isKnown = token === undefined || sentToken === token || signer === token;
    if (origin === undefined && isKnown && (isOwnHost || host.startsWith(`${containerHost}:`)))
      return listener(request, response);
    response.writeHead(403, { connection: 'close' }).end();
  };
}
