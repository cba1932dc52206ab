/** Smooth one-dimensional noise: the raw material of ridges, hills, shores and waves. */
import type { Random } from './random';

/** A curve without a period anyone could see; its values lie between -1 and 1. */
export type Noise = (x: number) => number;

const TABLE_SIZE = 256;

/** Gradient noise: slopes are drawn once per whole number and blended in between. */
export function createNoise(random: Random): Noise {
  const slopes = Array.from({ length: TABLE_SIZE }, () => random.between(-1, 1));
  const slopeAt = (cell: number): number => slopes[((cell % TABLE_SIZE) + TABLE_SIZE) % TABLE_SIZE] ?? 0;
  return (x) => {
    const cell = Math.floor(x);
    const t = x - cell;
    const blend = t * t * t * (t * (t * 6 - 15) + 10);
    const left = slopeAt(cell) * t;
    const right = slopeAt(cell + 1) * (t - 1);
    return (left + (right - left) * blend) * 2;
  };
}

/** Several octaves of one noise, each twice as fine and `roughness` times as strong as the last. */
export function layered(noise: Noise, octaves: number, roughness = 0.5): Noise {
  let total = 0;
  for (let octave = 0; octave < octaves; octave += 1) total += roughness ** octave;
  return (x) => {
    let sum = 0;
    for (let octave = 0; octave < octaves; octave += 1) {
      sum += noise(x * 2 ** octave + octave * 37.7) * roughness ** octave;
    }
    return sum / total;
  };
}
