/** Creates streams of random numbers from keys. Every choice in a scene comes from such a stream. */

/** A stream of random numbers. `fork` returns a stream that the calls of this one do not change. */
export interface Random {
  /** Returns the next number, at least 0 and below 1. */
  next(): number;
  between(min: number, max: number): number;
  /** Picks from a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  fork(label: string | number): Random;
}

/** Creates the stream of a key. Equal keys give equal streams on every machine. */
export function createRandom(key: string): Random {
  // FNV-1a turns the key into a number, the first state of Mulberry32.
  let state = 0x811c9dc5;
  for (let offset = 0; offset < key.length; offset += 1)
    state = Math.imul(state ^ key.charCodeAt(offset), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (min, max) => min + (max - min) * next(),
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
    fork: (label) => createRandom(`${key}/${label}`),
  };
}
