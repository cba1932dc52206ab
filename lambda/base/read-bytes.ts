/** Reads bytes that arrive in pieces. After more than `bytesMax` bytes, it stops and returns `undefined`. */
export async function readBytes(
  pieces: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const piece of pieces) {
    count += piece.length;
    if (count > bytesMax) return undefined;
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}
