/** Keeps web pages and other users' programs away from what only this service and its operator's commands may call. */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tokenHeader } from '../cli/local-services';

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

function isEqual(text: string, token: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
