/** Reads the body of a request, and no more of it than is allowed. */

import type { IncomingMessage } from 'node:http';

/** @returns `undefined` when it is longer than `bytesMax`; the rest is left unread then, and the connection ends */
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
