/** Compares colours: names the nearest colour of a provider, and measures how near an image is to a colour. */

import { type ColorName, colorNames } from '../contract/request-bounds';
import type { Description } from '../images/image';
import { stemWords } from './words';

type Rgb = readonly [red: number, green: number, blue: number];

const typicalColors: Readonly<Record<ColorName, Rgb>> = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  gray: [128, 128, 128],
  red: [220, 30, 40],
  orange: [245, 140, 20],
  yellow: [245, 220, 50],
  green: [50, 140, 60],
  blue: [40, 90, 200],
  purple: [120, 50, 160],
  pink: [240, 130, 180],
  brown: [120, 75, 40],
};

/** Smallest distance of two colours with a fit of 0. */
const distanceMax = 200;

/** Finds the name that is nearest to a colour. @param color a name or six hexadecimal digits */
export function findNearestColorName(color: string): ColorName {
  const rgb = parseRgb(color);
  const distances = colorNames.map((name) => computeColorDistance(rgb, typicalColors[name]));
  return colorNames[distances.indexOf(Math.min(...distances))] ?? 'gray';
}

/** Returns the provider's name of the nearest colour; `undefined` if it cannot search by this colour. */
export function spellColor(
  color: string | undefined,
  spellings: Readonly<Partial<Record<ColorName, string | undefined>>>,
): string | undefined {
  if (color === undefined) return undefined;
  const name = findNearestColorName(color);
  return name in spellings ? spellings[name] : name;
}

/** Measures from 0 to 1 how near an image is to a colour: by its average colour, or else by its texts. */
export function measureColorFit({ color, title, alt, tags = [] }: Description, target: string): number {
  if (color !== undefined)
    return Math.max(
      0,
      1 - computeColorDistance(parseRgb(color.replace('#', '')), parseRgb(target)) / distanceMax,
    );
  const [stem] = stemWords(findNearestColorName(target));
  return stem !== undefined && stemWords(title, alt, ...tags).has(stem) ? 1 : 0;
}

function parseRgb(color: string): Rgb {
  if (Object.hasOwn(typicalColors, color)) return typicalColors[color as ColorName];
  const parseChannel = (from: number) => Number.parseInt(color.slice(from, from + 2), 16) || 0;
  return [parseChannel(0), parseChannel(2), parseChannel(4)];
}

const computeColorDistance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
