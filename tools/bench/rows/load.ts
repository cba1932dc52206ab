/** A small load generator: a bounded number of GET requests over a few kept connections. */

import { connect } from 'node:net';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Requests altogether. */
  readonly count: number;
}

/**
 * Returns each response's time in milliseconds. Plain sockets, so that the generator itself takes little of the machine.
 * @throws when a response is no 302
 */
export async function send({ url, headers, connections, count }: Load): Promise<readonly number[]> {
  const { host, hostname, port, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
  let left = count;
  const tookMs: number[] = [];
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname).setEncoding('latin1');
      let text = '';
      let sentMs = 0;
      const next = () => {
        if (left === 0) {
          resolve();
          return socket.destroy();
        }
        left -= 1;
        sentMs = performance.now();
        return socket.write(request);
      };
      socket.on('connect', next).on('error', reject);
      socket.on('close', () => reject(new Error('A connection was closed')));
      socket.on('data', (part: string) => {
        text += part;
        const headEnd = text.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
        if (text.length < headEnd + 4 + length) return;
        if (!text.startsWith('HTTP/1.1 302 ')) reject(new Error(`Expected a redirect: ${text}`));
        text = '';
        tookMs.push(performance.now() - sentMs);
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  return tookMs;
}
