/** Seeded random numbers and smooth noise: every choice in a scene is drawn from one of these streams. */

/** A deterministic stream; `fork` gives an independent one that no other draw can shift. */
export interface Random {
  /** The next number, at least 0 and below 1. */
  next(): number;
  between(min: number, max: number): number;
  /** A whole number from min to max, both included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<L extends readonly [unknown, ...unknown[]]>(list: L): L[number];
  fork(label: string | number): Random;
}

type State = readonly [number, number, number];

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** Spreads a change of any bit over all 32 (the finaliser of MurmurHash3). */
function spread(value: number): number {
  const half = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}

/** Hashes a text into a state: three lanes of multiply and rotate, mixed with one another at the end. */
function absorb(state: State, text: string): State {
  let [a, b, c] = state;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = rotate(Math.imul(a ^ code, 0xcc9e2d51), 15);
    b = rotate(Math.imul(b + code, 0x1b873593), 13);
    c = rotate(Math.imul(c ^ (code + index), 0x27d4eb2f), 17);
  }
  const first = spread(a ^ text.length);
  const second = spread(b + first);
  return [first, second, spread(c ^ second)];
}

/** The stream that belongs to a key; equal keys give equal streams on every machine. */
export const createRandom = (key: string): Random =>
  streamOf(absorb([0x9e3779b9, 0x243f6a88, 0xb7e15162], key));

function streamOf(state: State): Random {
  let [a, b, c] = state;
  let counter = 1;
  // Small Fast Counter (sfc32): a small state and integer arithmetic only.
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (rotate(c, 21) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let warmUp = 0; warmUp < 8; warmUp += 1) next();
  return {
    next,
    between: (min, max) => min + (max - min) * next(),
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    fork: (label) => streamOf(absorb(state, String(label))),
  };
}

const TABLE_SIZE = 256;

/**
 * A smooth curve between -1 and 1 without a visible period: gradient noise.
 * @param octaves layers, each twice as fine and `roughness` times as strong as the one before
 */
export function createNoise(random: Random, octaves = 1, roughness = 0.5): (x: number) => number {
  const slopes = Array.from({ length: TABLE_SIZE }, () => random.between(-1, 1));
  const slopeAt = (cell: number): number => slopes[((cell % TABLE_SIZE) + TABLE_SIZE) % TABLE_SIZE] ?? 0;
  const layer = (x: number): number => {
    const cell = Math.floor(x);
    const t = x - cell;
    const blend = t * t * t * (t * (t * 6 - 15) + 10);
    const left = slopeAt(cell) * t;
    const right = slopeAt(cell + 1) * (t - 1);
    return (left + (right - left) * blend) * 2;
  };
  const strengths = Array.from({ length: octaves }, (_, octave) => roughness ** octave);
  const total = strengths.reduce((sum, strength) => sum + strength);
  return (x) =>
    strengths.reduce((sum, strength, at) => sum + layer(x * 2 ** at + at * 37.7) * strength, 0) / total;
}
