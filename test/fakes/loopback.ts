/** Use this server where code asks another service over HTTP. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Serves on a free port. @param answer where it throws, the connection of its request is cut at once */
export async function listenOnLoopback(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Loopback> {
  // A test that fails before it stops the server ends all the same.
  const server = createServer((request, response) => {
    (async () => answer(request, response))().catch((error) => response.destroy(error));
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
