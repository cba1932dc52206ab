/** Palettes of the two styles that bring their own light whatever the hour. */
import type { Time } from '../words/mood';
import { type Palette, palette } from './palette';

type Choices = readonly [Palette, ...Palette[]];

const EMBER: Choices = [
  palette(
    ['#0b0a14', '#1a1024', '#3a1730', '#8a2f3c'],
    ['#ffb27a', '#ff6a4d', '#4a1c30'],
    ['#140c1e', 0.8],
    ['#07060d', '#43203a', '#ffb45c'],
    true,
  ),
  palette(
    ['#090b16', '#1a1830', '#552b36', '#c06c3c'],
    ['#ffe0a3', '#ff9d4a', '#5a2f33'],
    ['#14111f', 0.8],
    ['#07080f', '#4a2f3c', '#ffc46b'],
    true,
  ),
];
const COOL: Choices = [
  palette(
    ['#05080f', '#081421', '#0b2a3a', '#0f5a63'],
    ['#c9fff2', '#2fd6c0', '#0d3b48'],
    ['#06131d', 0.82],
    ['#03060b', '#123845', '#4ff0d0'],
    true,
  ),
  palette(
    ['#06070f', '#0c1024', '#16204d', '#2c46a0'],
    ['#dfe6ff', '#5f86ff', '#1a2860'],
    ['#090d20', 0.82],
    ['#04050c', '#22306a', '#7fb0ff'],
    true,
  ),
  palette(
    ['#0a0712', '#150d26', '#2e1552', '#6a2a92'],
    ['#ffd9fb', '#c45cff', '#371a5c'],
    ['#0f0a1e', 0.82],
    ['#06040c', '#3b2166', '#ff7ad9'],
    true,
  ),
];

/** Deep tones with one luminous colour each. */
export const DARK_PALETTES: Readonly<Record<Time, Choices>> = {
  dawn: EMBER,
  day: COOL,
  golden: EMBER,
  sunset: EMBER,
  dusk: [COOL[2] ?? COOL[0], EMBER[0]],
  night: COOL,
};

const BRIGHT: Choices = [
  palette(
    ['#4fc3d9', '#7fd6df', '#b9e9dc', '#fff0c2'],
    ['#ffd23f', '#ffe58a', '#a8dfd8'],
    ['#3fb0c0', 0.06],
    ['#173f5f', '#fffaf0', '#ff5a5f'],
  ),
  palette(
    ['#ff9f8a', '#ffb99a', '#ffd6ab', '#fff0cf'],
    ['#ff5d5d', '#ff8f7a', '#ffcfae'],
    ['#e8846a', 0.08],
    ['#4a2545', '#fff6e8', '#1fa6a0'],
  ),
  palette(
    ['#7aa5ff', '#a3bfff', '#cfdcff', '#fdf1ff'],
    ['#ffcb47', '#ffe2a0', '#c3d0ff'],
    ['#6f86e8', 0.1],
    ['#2b2a6b', '#ffffff', '#ff6fa3'],
  ),
];
const BLAZING: Choices = [
  palette(
    ['#6a2c8f', '#c6408a', '#ff7a5a', '#ffc857'],
    ['#fff1a8', '#ffb14e', '#ff9a76'],
    ['#7a2a78', 0.3],
    ['#35135a', '#ff9f8a', '#ffe066'],
  ),
  palette(
    ['#1f5f8b', '#e2725b', '#ff9f4f', '#ffd76b'],
    ['#fff4c2', '#ffc04d', '#f7a072'],
    ['#8f3f5a', 0.28],
    ['#2d1b4e', '#ffd0a8', '#3fd0c9'],
  ),
];
const NOCTURNE: Choices = [
  palette(
    ['#1b1464', '#2f2a94', '#5246bf', '#8f7af0'],
    ['#fff3b0', '#ffe27a', '#5a4fc4'],
    ['#251d86', 0.5],
    ['#0f0a3c', '#6a5fd6', '#ffd23f'],
    true,
  ),
  palette(
    ['#0b3954', '#145a72', '#1f8a8a', '#6fd0b0'],
    ['#fff6c2', '#ffe89a', '#2a8f95'],
    ['#0f4a62', 0.5],
    ['#062438', '#3aa6a6', '#ff9f5a'],
    true,
  ),
];

/** Bold flat colours. */
export const ILLUSTRATION_PALETTES: Readonly<Record<Time, Choices>> = {
  dawn: BRIGHT,
  day: BRIGHT,
  golden: BRIGHT,
  sunset: BLAZING,
  dusk: NOCTURNE,
  night: NOCTURNE,
};
