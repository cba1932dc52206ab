/** Seeded random numbers: every choice in a scene is drawn from one of these streams. */

/** A deterministic stream; `fork` gives an independent one that no other draw can shift. */
export interface Random {
  /** The next number, at least 0 and below 1. */
  next(): number;
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<L extends readonly [unknown, ...unknown[]]>(list: L): L[number];
  fork(label: string | number): Random;
}

/** Spreads a change of any bit over all 32 (the finaliser of MurmurHash3). */
function spread(value: number): number {
  const half = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const mixed = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The stream that belongs to a key; equal keys give equal streams on every machine. */
export function createRandom(key: string): Random {
  // Two lanes of FNV-1a, so that different keys hardly ever share a stream.
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < key.length; at += 1) {
    high = Math.imul(high ^ key.charCodeAt(at), 0x01000193);
    low = Math.imul(low ^ (key.charCodeAt(at) + at), 0x85ebca77);
  }
  let [counter, step] = [spread(high), spread(low ^ high) | 1];
  const next = (): number => {
    counter = (counter + step) | 0;
    return spread(counter ^ step) / 4294967296;
  };
  return {
    next,
    between: (min, max) => min + (max - min) * next(),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    fork: (label) => createRandom(`${key}/${label}`),
  };
}
