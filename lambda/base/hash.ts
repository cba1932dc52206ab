/** Computes hashes of texts and shards of ids. */

import { hash } from 'node:crypto';

/** Hashes a text with SHA-256, in lower-case hex. */
export function hashSha256(text: string): string {
  return hash('sha256', text);
}

/** Computes the shard of an id: a number below `shards`, always the same for an id. */
export function computeShard(id: string, shards: number): number {
  return Number.parseInt(hashSha256(id).slice(0, 8), 16) % shards;
}
