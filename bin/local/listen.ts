/** Opens an HTTP server on loopback. */

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The port is in use by another process. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

export interface Listening {
  readonly server: Server;
  readonly url: string;
  /** Takes no more connections and ends those that are open. */
  stop(): Promise<void>;
}

/** @param port 0 for any free one. @throws `PortTaken` */
export async function listen(port: number, listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new PortTaken(`Port ${port} is in use. Choose another with --port N.`);
    if (code === 'EACCES')
      throw new PortTaken(`Port ${port} is not ours to use. Choose one above 1023 with --port N.`);
    throw error;
  }
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
