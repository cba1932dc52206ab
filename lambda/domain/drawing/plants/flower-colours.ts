/** The colours of a field of flowers. */
import type { Random } from '../random/random';

/** Three that stand together. */
export type FlowerColours = readonly [string, string, string];

const NAMED: Readonly<Record<string, FlowerColours>> = {
  lavender: ['#8f6fc7', '#a98ad8', '#7558b0'],
  poppy: ['#e0483a', '#ef6a52', '#c93a34'],
  sunflower: ['#f6c02c', '#ffd45a', '#e8a51e'],
  tulip: ['#e8506a', '#f6a03c', '#f27ca0'],
  daisy: ['#fffdf4', '#fff6dc', '#ffe9b8'],
  rose: ['#d8486a', '#ef86a0', '#b8345a'],
};

const MIXED: readonly [FlowerColours, ...FlowerColours[]] = [
  ['#e8553f', '#ffd166', '#fff8ea'],
  ['#b07cc6', '#f3a6c0', '#fff3f6'],
  ['#f4a53c', '#fff4c8', '#e66a5c'],
  ['#7f8fd8', '#c9b6f2', '#fff6e2'],
];

/** The colours of the flower that the words name, or a mixed meadow's. */
export function flowerColours(words: ReadonlySet<string>, random: Random): FlowerColours {
  const mixed = random.pick(MIXED);
  const name = Object.keys(NAMED).find((flower) => words.has(flower));
  return (name === undefined ? undefined : NAMED[name]) ?? mixed;
}
