/** HTTP servers on loopback: opening and closing one, guarding it against other users, and reading bodies within a limit. */

import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { failed } from '../cli/failure';
import { tokenHeader } from '../cli/local-services';

/** Resolves when what is still going on is to be given up. */
export type Grace = Promise<unknown>;

/** Answers a request; a promise, which never rejects, ends with the work that the request has begun. */
type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server that listens on loopback. */
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

/**
 * A listener that answers 403 to every request from elsewhere or without the token, and reads nothing of it.
 * @param token absent for a listener that a test has for itself
 */
export function guarded(listener: RequestListener, token?: string): RequestListener {
  return (request, response) => {
    const isKnown = token === undefined || holdsToken(request, token);
    if (isKnown && isFromThisMachine(request)) return listener(request, response);
    response.writeHead(403, { connection: 'close' }).end();
  };
}

/**
 * Whether a request comes from a program on this machine, and not from a page in a browser: it names no origin, and a
 * host that cannot be another's name for this machine (DNS rebinding).
 */
function isFromThisMachine({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (headers.origin !== undefined) return false;
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

/**
 * Whether a request holds the token of this start: in the header of the commands, or as the access key id with which
 * the AWS SDK signs.
 */
function holdsToken({ headers }: Pick<IncomingMessage, 'headers'>, token: string): boolean {
  const signer = /\bCredential=([^/,\s]+)\//.exec(headers.authorization ?? '')?.[1];
  const given = headers[tokenHeader];
  return [signer, given].some((text) => typeof text === 'string' && isEqual(text, token));
}

function isEqual(text: string, token: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The body of a request; `undefined` when it is longer than `bytesMax`; the rest is left unread then, and the connection ends */
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

/** A text cut at the first separator; the second part is empty where there is none. */
export function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Whether an `If-None-Match` header names an entity tag. */
export function includesTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
