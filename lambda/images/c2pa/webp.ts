/** Gives the C2PA library access to WebP files. Their manifest is a RIFF chunk `C2PA` at the end. */

import type { Asset } from './library';

const headerBytes = 12;
const chunkHeaderBytes = 8;

/** A WebP file in memory. Its methods change it. */
export class WebP implements Asset {
  readonly mimeType = 'image/webp';
  private data: Buffer;
  private start: number | undefined;

  constructor(data: Uint8Array) {
    this.data = Buffer.from(data);
    let offset = headerBytes;
    while (offset + chunkHeaderBytes <= this.data.length) {
      if (this.data.toString('latin1', offset, offset + 4) === 'C2PA') this.start = offset;
      offset += computeChunkBytes(this.readLength(offset));
    }
  }

  static canRead(data: Uint8Array): boolean {
    const text = Buffer.from(data.subarray(0, headerBytes)).toString('latin1');
    return text.startsWith('RIFF') && text.endsWith('WEBP');
  }

  getDataLength(): number {
    return this.data.length;
  }

  async getDataRange(start = 0, length = this.data.length): Promise<Uint8Array> {
    return this.data.subarray(start, start + length);
  }

  getManifestJUMBF(): Uint8Array | undefined {
    if (this.start === undefined) return undefined;
    const from = this.start + chunkHeaderBytes;
    return this.data.subarray(from, from + this.readLength(this.start));
  }

  async ensureManifestSpace(length: number): Promise<void> {
    // An earlier manifest is the last chunk, because this class has written it. It is replaced.
    const image = this.data.subarray(0, this.start);
    this.start = image.length;
    const chunk = Buffer.alloc(computeChunkBytes(length));
    chunk.write('C2PA', 'latin1');
    chunk.writeUInt32LE(length, 4);
    this.data = Buffer.concat([image, chunk]);
    this.data.writeUInt32LE(this.data.length - chunkHeaderBytes, 4);
  }

  /** The place of the chunk in the file. As for verifiers, the padding byte of an odd length is outside. */
  getHashExclusionRange(): { start: number; length: number } {
    if (this.start === undefined) throw new Error('No space for a manifest');
    return { start: this.start, length: chunkHeaderBytes + this.readLength(this.start) };
  }

  async writeManifestJUMBF(jumbf: Uint8Array): Promise<void> {
    this.getManifestJUMBF()?.set(jumbf);
  }

  dumpInfo(): string {
    return 'WebP file';
  }

  private readLength(start: number): number {
    return this.data.readUInt32LE(start + 4);
  }
}

/** Computes the size of a chunk from the size of its payload. Chunks begin at even offsets. */
function computeChunkBytes(length: number): number {
  return chunkHeaderBytes + length + (length % 2);
}
