/** Hashes of texts, and the shards of ids. */

import { hash } from 'node:crypto';

/** Computes the SHA-256 of a text, in lower-case hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/** Computes the shard of an id by FNV-1a: a number below `shards`, always the same for an id. */
export function computeShard(id: string, shards: number): number {
  let digest = 0x81_1c_9d_c5;
  for (let i = 0; i < id.length; i++) digest = Math.imul(digest ^ id.charCodeAt(i), 0x01_00_01_93);
  return ((digest ^ (digest >>> 15)) >>> 0) % shards;
}
