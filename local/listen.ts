/** Opens an HTTP server on loopback. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failed } from '../cli/failure';

/** Resolves when what is still going on is to be given up. */
export type Grace = Promise<unknown>;

/** Answers a request; a promise, which never rejects, ends with the work that the request has begun. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Listening {
  readonly server: Server;
  readonly url: string;
  /** Takes no more connections, and ends those that are open: at once, or once their requests and the work of those are done. */
  stop(grace?: Grace): Promise<void>;
}

/** @param port 0 for any free one. @throws `Failure` when it is not to be had */
export async function listen(port: number, listener: Listener): Promise<Listening> {
  let inFlight = 0;
  let onIdle = (): void => undefined;
  const server = createServer((request, response) => {
    inFlight += 1;
    const closed = new Promise((resolve) => response.once('close', resolve));
    // The response of a caller that has gone closes while its request may still have work to hand over.
    void Promise.all([listener(request, response), closed]).then(() => {
      inFlight -= 1;
      if (inFlight === 0) onIdle();
    });
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw failed(`Port ${port} is in use. Choose another with --port N.`);
    if (code === 'EACCES')
      throw failed(`Port ${port} needs more rights than this user has. Choose one above 1023 with --port N.`);
    throw error;
  }
  const stop = async (grace?: Grace) => {
    const closed = new Promise((resolve) => server.close(resolve));
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
      if (inFlight === 0) resolve();
    });
    if (grace) await Promise.race([idle, grace]);
    server.closeAllConnections();
    await closed;
  };
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
