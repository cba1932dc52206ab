/** Spreads ids over shards: the same id always has the same. */

/** The shard of an id, a whole number below `shards`: FNV-1a, folded. */
export function shardOf(id: string, shards: number): number {
  let hash = 0x81_1c_9d_c5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01_00_01_93);
  return ((hash ^ (hash >>> 15)) >>> 0) % shards;
}
