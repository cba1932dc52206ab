/** Reads bytes that arrive in pieces, up to a bound. */

/** Reads bytes to their end; `undefined` for more than `bytesMax`, the rest of which is left unread. */
export async function readBytes(
  pieces: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const read: Uint8Array[] = [];
  let count = 0;
  for await (const piece of pieces) {
    count += piece.length;
    if (count > bytesMax) return undefined;
    read.push(piece);
  }
  return Buffer.concat(read);
}
