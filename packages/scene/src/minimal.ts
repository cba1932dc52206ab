/** The minimal style: a few flat shapes on a neutral ground, and much empty space. */
import { mix } from './colour';
import { createRandom, type Random } from './random';
import { cover, type Scene } from './scene';
import type { SubjectName } from './subjects';
import { type Attributes, circle, outline, path, shape } from './svg';

/** By the light: a neutral ground, two quiet tones and one accent. */
const COOL = [
  '#f3efe8 #c9c3b8 #6f7a80 #d9855f',
  '#eef0ef #bcc8c8 #55707a #e0a458',
  '#f4f0ec #d6c4b8 #8a7f86 #c9705f',
  '#efeeea #c2c8b8 #6a7a68 #dba05a',
  '#f0f0f2 #c4c8d4 #626c88 #df8a78',
] as const;
const WARM = [
  '#f6ece2 #e2c2a8 #8f6a64 #e07a4f',
  '#f5ebe4 #dfbdb4 #7d6076 #e58a5a',
  '#f3ece0 #d9c29c #7a6a58 #d9743f',
] as const;
const NIGHT = [
  '#e3e5ea #a9b0c0 #3d465e #f0dca8',
  '#e4e6e6 #9fb0b4 #33505a #f2dfb2',
  '#e6e3ea #b1a8bf #4a4160 #f4d9b0',
] as const;
const TONES = { dawn: COOL, day: COOL, golden: WARM, sunset: WARM, dusk: NIGHT, night: NIGHT } as const;

/** The four colours of a row, and mixtures of them. */
function tonesOf(row: string) {
  const [paper = '', soft = '', deep = '', accent = ''] = row.split(' ');
  return {
    ...{ paper, soft, deep, accent },
    floor: mix(paper, soft, 0.4),
    sand: mix(soft, paper, 0.35),
    reflection: mix(soft, deep, 0.22),
    middle: mix(soft, deep, 0.5),
    white: mix(paper, '#ffffff', 0.6),
  };
}

type Tone = keyof ReturnType<typeof tonesOf>;

/**
 * One shape of a scene. Levels are shares of the height, 0 at the top. Every scene may be mirrored.
 * - A figure: path data in shares of the scene's size, or what chooses it; x from the middle, y from a level.
 * - Ground below a calm curve through levels from left to right.
 * - The sun, with its radius in shares of the scene's size.
 */
type MinimalShape =
  | { tone: Tone; level: number; data: Data; attributes?: Attributes }
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
    tower(index * 0.107 - 0.3, random.between(0.07, 0.11), random.between(0.1, 0.32)),
  );
const star = (): MinimalShape =>
  figure('paper', 0, (random) => disc(random.between(-0.7, 0.7), random.between(0.06, 0.5), 0.0045));

const STEAM = 'M-.047 -.205q.047 -.041 0 -.082t0 -.082M.012 -.205q.047 -.041 0 -.082t0 -.082';
const RIVER =
  'M.03 0C.13 .06 -.12 .1 -.08 .16C-.05 .21 .09 .24 .02 .33C-.03 .45 .06 .55 .06 .9' +
  'H.4C.4 .55 .3 .45 .3 .33C.3 .23 .02 .21 .01 .15C0 .1 .15 .06 .043 0Z';
const RING = { ...stroke(0.016), 'stroke-linecap': 'butt', transform: 'rotate(-18)' };
const DOME = 'a.19 .19 0 0 1 .38 0z';

const SCENES: Partial<Readonly<Record<SubjectName, readonly MinimalShape[]>>> = {
  mountains: [
    sun(0.34),
    figure('soft', 0.76, 'M-.013 0L.213 -.224L.435 0Z'),
    figure('deep', 0.76, 'M-.414 0L-.117 -.33L.247 0Z'),
    flat('floor', 0.76),
  ],
  desert: [
    sun(0.36, 0.08),
    ground('soft', 0.78, 0.727, 0.65, 0.76, 0.82),
    ground('middle', 0.98, 0.86, 0.83, 0.9, 0.84),
  ],
  meadow: [
    figure('deep', 0.8, tower(-0.213, 0.006, 0.14) + tower(-0.163, 0.006, 0.24) + tower(-0.103, 0.006, 0.19)),
    figure('accent', 0.8, disc(-0.21, -0.14, 0.022) + disc(-0.1, -0.19, 0.034)),
    figure('deep', 0.8, disc(-0.16, -0.24, 0.028)),
    ground('soft', 0.72, 0.77, 0.85, 0.88),
  ],
  forest: [
    ...[fir('deep', -0.26), fir('soft', -0.13), fir('deep', -0.02), fir('accent', 0.12), fir('deep', 0.25)],
    flat('floor', 0.78),
  ],
  winter: [
    sun(0.34, 0.055),
    figure('deep', 0.82, tree(-0.14, 0.072, 0.32)),
    figure('soft', 0.82, tree(-0.04, 0.046, 0.21)),
    ground('white', 0.77, 0.79, 0.84, 0.8),
  ],
  city: [
    sun(0.2, 0.05),
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
    flat('floor', 0.6),
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
    figure('white', 0.62, RIVER),
    ground('deep', 0.97, 0.99),
  ],
  'night-sky': [
    flat('deep', -0.1),
    ...Array.from({ length: 9 }, star),
    figure('accent', 0.32, disc(0.17, 0, 0.075)),
    figure('deep', 0.32, disc(0.202, -0.014, 0.066)),
    ground('middle', 0.76, 0.8, 0.88, 0.86),
  ],
  space: [
    figure('soft', 0.52, 'M-.298 0a.298 .071 0 0 1 .595 0', RING),
    figure('deep', 0.52, disc(0, 0, 0.17)),
    figure('soft', 0.52, 'M-.298 0a.298 .071 0 0 0 .595 0', RING),
    figure('accent', 0.52, disc(0.3, -0.24, 0.032)),
  ],
};

/** Compositions without a subject, in soft, deep and accent; the words choose one. */
const ABSTRACTS = [
  ['M-.095 0a.19 .19 0 0 0 .38 0z', `M-.285 0${DOME}`, disc(0.209, -0.143, 0.05)],
  [disc(-0.086, 0, 0.19), 'M.048 0h.19v.19h-.19z', disc(0.143, -0.095, 0.053)],
  ['M-.011 -.095a.19 .19 0 0 0 0 .38z', 'M.011 -.19a.19 .19 0 0 1 0 .38z', disc(-0.247, -0.171, 0.038)],
  ['M-.2 -.152h.19v.19h-.19z', `M-.152 .133${DOME}`, disc(0.105, -0.105, 0.065)],
] as const;

function shapesOf(scene: Scene, subject: SubjectName): readonly MinimalShape[] {
  const own = SCENES[subject];
  if (own) return own;
  const [soft, deep, accent] = createRandom(`minimal/${[...scene.words].join(' ')}`).pick(ABSTRACTS);
  return [figure('soft', 0.52, soft), figure('deep', 0.52, deep), figure('accent', 0.52, accent)];
}

/** Draws a subject in the minimal style; variations share their tones. A subject without shapes of its own is abstract. */
export function drawMinimal(scene: Scene, subject: SubjectName): string {
  const { frame } = scene;
  const random = scene.random.fork('minimal');
  const tones = tonesOf(createRandom(`${scene.lightKey}/tones`).pick(TONES[scene.time]));
  const size = Math.min(frame.unit, frame.width * 1.1, frame.height * 1.35);
  const side = random.chance(0.5) ? 1 : -1;
  // The seed makes figures a little wider or higher, and moves what they stand on.
  const [wide, high] = [random.between(0.9, 1.12) * size * side, random.between(0.88, 1.14) * size];
  const shift = random.between(-0.03, 0.03);
  const draw = (part: MinimalShape): string => {
    if ('sun' in part) {
      const x = frame.centre + side * 0.19 * frame.span;
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
    const { level, data, attributes } = part;
    const place = path`translate(${frame.centre} ${(level + shift) * frame.height}) scale(${wide} ${high})`;
    const transform = attributes?.['transform'] ? `${place} ${attributes['transform']}` : place;
    const stroked = attributes && { ...attributes, stroke: fill };
    return shape(typeof data === 'string' ? data : data(random), fill, { ...stroked, transform });
  };
  return cover(frame, tones.paper) + shapesOf(scene, subject).map(draw).join('');
}
