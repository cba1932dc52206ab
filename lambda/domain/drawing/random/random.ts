/** A seeded stream of numbers: every choice in a picture is taken from one of these. */
import { createHash } from 'node:crypto';

/** A deterministic stream; `fork` gives an independent one that no earlier draw can shift. */
export interface Random {
  /** The next number, at least 0 and below 1. */
  next(): number;
  between(min: number, max: number): number;
  /** A whole number from min to max, both included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  fork(label: string): Random;
}

/** Starts the stream that belongs to `key`; equal keys give equal streams on every machine. */
export function createRandom(key: string): Random {
  const digest = createHash('sha256').update(key).digest();
  let a = digest.readUInt32LE(0);
  let b = digest.readUInt32LE(4);
  let c = digest.readUInt32LE(8);
  let counter = 1;

  // Small Fast Counter (sfc32): tiny state, passes the usual test suites, integer arithmetic only.
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let warmUp = 0; warmUp < 8; warmUp += 1) next();

  return {
    next,
    between: (min, max) => min + (max - min) * next(),
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    fork: (label) => createRandom(`${key}/${label}`),
  };
}
