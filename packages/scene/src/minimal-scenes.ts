/** What the minimal style shows of each motif, as data: a few flat shapes. */
import type { Random } from './random';
import type { Attributes } from './svg';
import type { Motif } from './words';

/** The tones that shapes are painted in. */
export type Tone =
  | ('paper' | 'soft' | 'deep' | 'accent' | 'floor' | 'water')
  | ('sand' | 'reflection' | 'middle' | 'dusk' | 'white');

/**
 * One shape of a scene. Levels are shares of the height, 0 at the top. Every scene may be mirrored.
 * - A figure: path data in shares of the scene's size, or what chooses it; x from the middle, y from a level;
 *   `toBottom` measures y by the distance from the level to the lower border instead.
 * - Ground below a calm curve through levels from left to right.
 * - The sun.
 */
export type MinimalShape =
  | { tone: Tone; level: number; data: Data; attributes?: Attributes; toBottom?: true }
  | { tone: Tone; ground: readonly number[] }
  | { sun: number; radius: number };

type Data = string | ((random: Random) => string);

const figure = (tone: Tone, level: number, data: Data, attributes?: Attributes): MinimalShape =>
  attributes ? { tone, level, data, attributes } : { tone, level, data };
const ground = (tone: Tone, ...levels: readonly number[]): MinimalShape => ({ tone, ground: levels });
const flat = (tone: Tone, level: number): MinimalShape => ground(tone, level, level);
const sun = (level: number, radius = 0.07): MinimalShape => ({ sun: level, radius });
const stroke = (width: number) => ({ fill: 'none', 'stroke-width': width, 'stroke-linecap': 'round' });

const text = (value: number): string => String(Math.round(value * 1e4) / 1e4);
const disc = (x: number, y: number, r: number): string =>
  `M${text(x - r)} ${text(y)}a${r} ${r} 0 1 0 ${text(2 * r)} 0a${r} ${r} 0 1 0 ${text(-2 * r)} 0z`;
const tower = (x: number, width: number, height: number): string =>
  `M${text(x)} 0V${text(-height)}h${text(width)}V0z`;
const tree = (x: number, half: number, height: number): string =>
  `M${text(x - half)} 0L${text(x)} ${text(-height)}L${text(x + half)} 0Z`;
const fir = (tone: Tone, x: number): MinimalShape =>
  figure(tone, 0.78, (random) => tree(x, 0.062, random.between(0.2, 0.4)));
const block = (tone: Tone, index: number): MinimalShape =>
  figure(tone, 0.78, (random) =>
    tower(index * 0.107 - 0.3, random.between(0.07, 0.11), random.between(0.14, 0.42)),
  );
const RING = { ...stroke(0.016), 'stroke-linecap': 'butt', transform: 'rotate(-18)' };

const STEAM = 'M-.047 -.205q.047 -.041 0 -.082t0 -.082M.012 -.205q.047 -.041 0 -.082t0 -.082';
const RIVER =
  'M.06 0C.16 .2 -.16 .3 -.1 .52C-.06 .7 .1 .8 .02 1L.3 1C.3 .74 .02 .66 0 .5C-.02 .34 .19 .2 .075 0Z';

type Named = Exclude<Motif, 'abstract'> | 'river';

export const MINIMAL_SCENES: Readonly<Record<Named, readonly MinimalShape[]>> = {
  mountains: [
    sun(0.34),
    figure('soft', 0.76, 'M-.013 0L.213 -.224L.435 0Z'),
    figure('deep', 0.76, 'M-.414 0L-.117 -.33L.247 0Z'),
    flat('floor', 0.76),
  ],
  desert: [
    sun(0.36, 0.08),
    ground('soft', 0.78, 0.727, 0.65, 0.76, 0.82),
    ground('dusk', 0.98, 0.86, 0.83, 0.9, 0.84),
  ],
  meadow: [
    figure('deep', 0.8, tower(-0.213, 0.006, 0.14) + tower(-0.163, 0.006, 0.24) + tower(-0.103, 0.006, 0.19)),
    figure('accent', 0.8, disc(-0.21, -0.14, 0.022) + disc(-0.1, -0.19, 0.034)),
    figure('deep', 0.8, disc(-0.16, -0.24, 0.028)),
    ground('soft', 0.72, 0.77, 0.85, 0.88),
  ],
  forest: [
    fir('deep', -0.26),
    fir('soft', -0.13),
    fir('deep', -0.02),
    fir('accent', 0.12),
    fir('deep', 0.25),
    flat('floor', 0.78),
  ],
  winter: [
    sun(0.34, 0.055),
    figure('deep', 0.82, tree(-0.14, 0.072, 0.32)),
    figure('soft', 0.82, tree(-0.04, 0.046, 0.21)),
    ground('white', 0.77, 0.79, 0.84, 0.8),
  ],
  city: [
    sun(0.28, 0.05),
    ...(['middle', 'soft', 'deep'] as const).flatMap((tone, at) => [block(tone, at), block(tone, at + 3)]),
    flat('floor', 0.78),
  ],
  cafe: [
    figure('accent', 0.72, STEAM, stroke(0.011)),
    figure('deep', 0.72, disc(0.119, -0.106, 0.041), stroke(0.02)),
    figure('deep', 0.72, 'M-.117 -.171H.117Q.117 0 .047 0H-.047Q-.117 0 -.117 -.171Z'),
    flat('soft', 0.72),
  ],
  sea: [
    figure('accent', 0.63, 'M.03 0a.11 .11 0 0 1 .22 0z'),
    flat('soft', 0.63),
    ground('deep', 0.86, 0.83, 0.87, 0.84, 0.88),
  ],
  beach: [sun(0.32), flat('deep', 0.58), ground('sand', 0.66, 0.74, 0.8, 0.92)],
  lake: [
    sun(0.27, 0.05),
    figure('deep', 0.6, 'M-.42 0L-.1 -.25L.06 -.13L.16 -.18L.42 0Z'),
    flat('water', 0.6),
    figure('reflection', 0.6, 'M-.42 0L-.1 .25L.06 .13L.16 .18L.42 0Z'),
  ],
  waterfall: [
    sun(0.22, 0.05),
    flat('deep', 0.4),
    figure('deep', 0.4, 'M.02 .1V0Q.02 -.05 .07 -.05H9V.1Z'),
    figure('white', 0.4, 'M-.115 .05Q-.115 .012 -.08 .012H-.02Q.02 .012 .02 .05V9H-.115Z'),
    flat('soft', 0.8),
  ],
  river: [
    sun(0.34),
    ground('soft', 0.66, 0.58, 0.62, 0.6),
    { tone: 'white', level: 0.62, data: RIVER, toBottom: true },
    ground('deep', 0.97, 0.99),
  ],
  'night-sky': [
    flat('deep', -0.1),
    ...Array.from({ length: 9 }, () =>
      figure('paper', 0, (random) =>
        disc(random.between(-0.7, 0.7), random.between(0.06, 0.5), random.pick([0.003, 0.004, 0.006])),
      ),
    ),
    figure('accent', 0.32, disc(0.17, 0, 0.075)),
    figure('deep', 0.32, disc(0.202, -0.014, 0.066)),
    ground('dusk', 0.76, 0.8, 0.88, 0.86),
  ],
  space: [
    figure('soft', 0.52, 'M-.298 0a.298 .071 0 0 1 .595 0', RING),
    figure('deep', 0.52, disc(0, 0, 0.17)),
    figure('soft', 0.52, 'M-.298 0a.298 .071 0 0 0 .595 0', RING),
    figure('accent', 0.52, disc(0.3, -0.24, 0.032)),
  ],
};

const abstract = (soft: string, deep: string, accent: string): readonly MinimalShape[] => [
  figure('soft', 0.52, soft),
  figure('deep', 0.52, deep),
  figure('accent', 0.52, accent),
];

/** Compositions without a subject; the words choose one. */
export const MINIMAL_ABSTRACTS = [
  abstract('M-.095 0a.19 .19 0 0 0 .38 0z', 'M-.285 0a.19 .19 0 0 1 .38 0z', disc(0.209, -0.143, 0.05)),
  abstract(disc(-0.086, 0, 0.19), 'M.048 0h.19v.19h-.19z', disc(0.143, -0.095, 0.053)),
  abstract(
    'M-.011 -.095a.19 .19 0 0 0 0 .38z',
    'M.011 -.19a.19 .19 0 0 1 0 .38z',
    disc(-0.247, -0.171, 0.038),
  ),
  abstract('M-.2 -.152h.19v.19h-.19z', 'M-.152 .133a.19 .19 0 0 1 .38 0z', disc(0.105, -0.105, 0.065)),
] as const;
