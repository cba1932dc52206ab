/** Writes IPTC into a JPEG, as the programs of photographers do. */

/** A JPEG with data sets of IPTC's Application Record 2, each by its number. */
export function withIptc(jpeg: Buffer, sets: readonly (readonly [number: number, value: string])[]): Buffer {
  const content = sets.flatMap(([number, value]) => [
    Buffer.from([0x1c, 2, number, 0, Buffer.byteLength(value)]),
    Buffer.from(value),
  ]);
  const { length } = Buffer.concat(content);
  const block = Buffer.concat([
    Buffer.from('Photoshop 3.0\0' + '8BIM\x04\x04\0\0\0\0', 'latin1'),
    Buffer.from([length >> 8, length & 255]),
    ...content,
    Buffer.alloc(length % 2),
  ]);
  const head = Buffer.from([0xff, 0xed, (block.length + 2) >> 8, (block.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), head, block, jpeg.subarray(2)]);
}
