/** The colours of an abstract composition. */
import { adjust, mix } from './colour';
import type { StyleName } from './palettes';
import type { Random } from './random';

type Ramp = readonly [string, string, string, string, string];

/** Colours from deep to pale, on a ground, with one contrasting spot. */
export interface Swatch {
  readonly back: string;
  readonly colours: Ramp;
  readonly spot: string;
  readonly dark: boolean;
}

type Curated = readonly [ramp: Ramp, spot: string];

const CURATED: readonly [Curated, ...Curated[]] = [
  [['#1f4e6b', '#3f7f9c', '#7fb0bd', '#bcd8d6', '#efe9dc'], '#f08a5d'],
  [['#4a2c5e', '#8a4f82', '#c97b92', '#f0b2a0', '#fbe6d6'], '#f7c25c'],
  [['#1d4d4f', '#3b7f77', '#7ab59c', '#bfdcbb', '#f3f0dd'], '#f2785c'],
  [['#2b2f6b', '#5459a8', '#8f8fd6', '#c9c2ee', '#f4edf7'], '#ffab6b'],
  [['#7a2f3b', '#b8544e', '#e08a68', '#f4bf94', '#fcebd8'], '#3f9a97'],
  [['#23395b', '#406e8e', '#8ea8c3', '#cbd7dc', '#f3f1ea'], '#e8a13c'],
  [['#5b2a4f', '#9c3f6b', '#d9728a', '#f2aeb0', '#fbe4df'], '#5fb3b3'],
  [['#16505c', '#2a8c8c', '#6fc3b2', '#b8e3cf', '#f2f6e4'], '#ff7f6b'],
  [['#5c3a3a', '#a8683c', '#d99a5b', '#efc996', '#faeedb'], '#2f7f8c'],
  [['#123b5d', '#2f6fa8', '#e9a38c', '#f6cfae', '#fbf0df'], '#f2c14e'],
];

/** A swatch as the style wants it: deep and glowing by night, stronger where the style is bold. */
export function swatchFor(random: Random, style: StyleName, night: boolean): Swatch {
  const [[deep, second, third, fourth, pale], spot] = random.pick(CURATED);
  const dark = style === 'dark' || (night && style !== 'illustration');
  const tone = (colour: string, t: number): string => {
    if (dark) return mix(adjust(colour, 0.86, 1.15), '#0a0c18', 0.42 + 0.2 * t);
    return style === 'illustration' ? adjust(colour, 1, 1.3) : colour;
  };
  return {
    back: dark ? mix(deep, '#080a14', 0.82) : mix(pale, '#fffaf2', 0.4),
    colours: [tone(deep, 0), tone(second, 0.25), tone(third, 0.5), tone(fourth, 0.75), tone(pale, 1)],
    spot: dark ? adjust(spot, 0.96, 1.1) : spot,
    dark,
  };
}

/** The colour at a share (0 deep, 1 pale) of the ramp. */
export function shadeOf(colours: Ramp, share: number): string {
  const position = Math.min(0.999, Math.max(0, share)) * (colours.length - 1);
  const low = colours[Math.floor(position)] ?? colours[0];
  return mix(low, colours[Math.ceil(position)] ?? low, position % 1);
}
