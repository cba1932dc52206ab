/** The minimal style: a few flat shapes on a neutral ground, and much empty space. */
import { mix } from './colour';
import { cover } from './frame';
import { MINIMAL_ABSTRACTS, MINIMAL_SCENES, type MinimalShape, type Tone } from './minimal-scenes';
import { createRandom } from './random';
import { namesFall } from './river';
import type { Stage } from './stage';
import { circle, outline, path, shape } from './svg';
import type { Motif } from './words';

type TonesRow = readonly [paper: string, soft: string, deep: string, accent: string];

/** A neutral ground, two quiet tones and one accent, by the light. */
const TONES: Record<'cool' | 'warm' | 'night', readonly [TonesRow, ...TonesRow[]]> = {
  cool: [
    ['#f3efe8', '#c9c3b8', '#6f7a80', '#d9855f'],
    ['#eef0ef', '#bcc8c8', '#55707a', '#e0a458'],
    ['#f4f0ec', '#d6c4b8', '#8a7f86', '#c9705f'],
    ['#efeeea', '#c2c8b8', '#6a7a68', '#dba05a'],
    ['#f0f0f2', '#c4c8d4', '#626c88', '#df8a78'],
  ],
  warm: [
    ['#f6ece2', '#e2c2a8', '#8f6a64', '#e07a4f'],
    ['#f5ebe4', '#dfbdb4', '#7d6076', '#e58a5a'],
    ['#f3ece0', '#d9c29c', '#7a6a58', '#d9743f'],
  ],
  night: [
    ['#e3e5ea', '#a9b0c0', '#3d465e', '#f0dca8'],
    ['#e4e6e6', '#9fb0b4', '#33505a', '#f2dfb2'],
    ['#e6e3ea', '#b1a8bf', '#4a4160', '#f4d9b0'],
  ],
};

const LIGHTS = {
  dawn: 'cool',
  day: 'cool',
  golden: 'warm',
  sunset: 'warm',
  dusk: 'night',
  night: 'night',
} as const;

/** Every tone that shapes are painted in: the four of a row, and mixtures of them. */
const tonesOf = ([paper, soft, deep, accent]: TonesRow): Record<Tone, string> => ({
  ...{ paper, soft, deep, accent },
  floor: mix(paper, soft, 0.35),
  water: mix(paper, soft, 0.45),
  sand: mix(soft, paper, 0.35),
  reflection: mix(soft, deep, 0.22),
  middle: mix(soft, deep, 0.5),
  dusk: mix(deep, soft, 0.4),
  white: mix(paper, '#ffffff', 0.6),
});

/** Draws a motif in the minimal style; variations share their tones. */
export function drawMinimal(stage: Stage, motif: Motif): string {
  const { frame, words } = stage;
  const random = stage.random.fork('minimal');
  const tones = tonesOf(createRandom(`${stage.lightKey}/tones`).pick(TONES[LIGHTS[stage.time]]));
  const size = Math.min(frame.unit, frame.width * 1.1, frame.height * 1.35);
  const side = random.chance(0.5) ? 1 : -1;
  // The seed makes figures a little wider or higher, and moves what they stand on.
  const [wide, high] = [random.between(0.9, 1.12), random.between(0.88, 1.14)];
  const shift = random.between(-0.03, 0.03);
  const draw = (part: MinimalShape): string => {
    if ('sun' in part) {
      const x = frame.centre + side * 0.19 * Math.min(frame.width, 1.5 * frame.unit);
      return circle(x, frame.height * part.sun, size * part.radius, tones.accent);
    }
    const fill = tones[part.tone];
    if ('ground' in part) {
      const levels = side === 1 ? part.ground : [...part.ground].reverse();
      const crest = levels.map((level, index) => ({
        x: (index / (levels.length - 1)) * frame.width,
        y: (level + shift) * frame.height,
      }));
      return shape(outline(crest, [{ x: frame.width, y: frame.height }], [{ x: 0, y: frame.height }]), fill);
    }
    const y = (part.level + shift) * frame.height;
    const scaleY = part.toBottom ? frame.height - y : size * high;
    const data = typeof part.data === 'string' ? part.data : part.data(random);
    const own = part.attributes?.['transform'] ?? '';
    const placed = path`translate(${frame.centre} ${y}) scale(${side * size * wide} ${scaleY}) ${own}`.trim();
    return shape(data, fill, {
      ...part.attributes,
      ...(part.attributes && { stroke: fill }),
      transform: placed,
    });
  };
  const scene =
    motif === 'abstract'
      ? createRandom(`minimal/${[...words].join(' ')}`).pick(MINIMAL_ABSTRACTS)
      : MINIMAL_SCENES[motif === 'waterfall' && !namesFall(stage) ? 'river' : motif];
  return cover(frame, tones.paper) + scene.map(draw).join('');
}
