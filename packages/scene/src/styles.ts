/** How each style draws land and outlines, and what it lays over the whole scene. */
import { adjust, mix } from './colour';
import { along, cover } from './frame';
import type { StyleName } from './palettes';
import type { Random } from './random';
import { type Land, lit, type Stage, type Style } from './stage';
import { box, fade, group, line, path, repeat, type Stop, shape } from './svg';

/** Soft patches of light and of cloud shadow: no real ground has one even colour. */
function drawDapples(stage: Stage, { path: outline, top, bottom, distance }: Land): string {
  const { frame, light, defs } = stage;
  const random = stage.random.fork(`dapples${distance}`);
  const tall = Math.max(1, bottom - top);
  const patches = repeat(Math.round(5 * Math.min(4, frame.breadth)), (index) => {
    const x = random.next() * frame.width;
    const y = top + tall * random.between(0.05, 0.6);
    const reach = frame.unit * random.between(0.16, 0.34);
    const bright = index % 2 === 0;
    const strength = (bright ? (light.night ? 0.08 : 0.3) : 0.2) * (1 - 0.55 * distance);
    const stops = fade(bright ? light.glow : light.shade, [0, strength], [0.5, strength * 0.5], [1, 0]);
    const fill = defs.radial(x, y, reach, stops, random.between(0.2, 0.4));
    return shape(box(x - reach, y - reach * 0.42, 2 * reach, reach * 0.84), fill);
  });
  return group({ 'clip-path': defs.clip(outline) }, patches);
}

const GRAIN_TILE = 150;
const GRAIN_SPECKS = 240;

/** Light and dark specks over the whole scene; they also hide the steps of long gradients. */
function drawGrain({ frame, random: source, defs }: Stage): string {
  const random = source.fork('grain');
  const specks = (): string =>
    repeat(GRAIN_SPECKS, () => {
      const size = random.between(0.5, 1.1);
      return box(random.between(0, GRAIN_TILE), random.between(0, GRAIN_TILE), size, size);
    });
  const tile = shape(specks(), '#ffffff', { opacity: 0.12 }) + shape(specks(), '#000000', { opacity: 0.15 });
  return cover(frame, defs.tile(GRAIN_TILE, tile));
}

const inkOf = ({ light }: Stage): string => mix(light.shade, '#000000', 0.15);

type Mark = (x: number, y: number, size: number, random: Random) => string;

const MARKS: readonly [Mark, ...Mark[]] = [
  (x, y, size, random) => path`M${x} ${y}h${size * random.between(0.4, 1.1)}`,
  (x, y) => path`M${x} ${y}h0`,
  (x, y, size) => path`M${x} ${y}q${size * 0.3} ${-size * 0.4} ${size * 0.6} 0t${size * 0.6} 0`,
  (x, y, size) => path`M${x} ${y}l${size * 0.2} ${-size * 0.5}l${size * 0.2} ${size * 0.5}`,
];

/** Dashes, dots, waves or tufts, cut to the land's outline; nearer land has larger and fewer ones. */
function drawMarks(stage: Stage, { path: outline, top, bottom, distance }: Land, colour: string): string {
  const { frame, defs } = stage;
  const random = stage.random.fork(`marks${distance}`);
  const mark = random.pick(MARKS);
  const size = frame.unit * (0.03 - 0.017 * distance);
  // What lies deeper than this is hidden behind the next piece of land.
  const deep = Math.min(bottom - top, 0.34 * frame.unit);
  const rows = Math.min(14, Math.max(2, Math.round(deep / (size * 1.9))));
  const spacing = Math.max(size * 5, frame.unit * 0.065 * frame.breadth ** 0.85);
  const data = repeat(rows, (row) => {
    const y = top + ((row + 0.5) / rows) * deep;
    const marks = along(frame, random.fork(row), spacing, 0.22).map(({ x, random: own }) => {
      if (own.chance(0.3)) return '';
      return mark(x + (row % 2) * 0.5 * spacing, y + own.between(-0.3, 0.3) * size, size, own);
    });
    return marks.join('');
  });
  return line(data, colour, size * 0.13, { 'clip-path': defs.clip(outline) });
}

/** Its marks are drawn one by one, as a repeated pattern would take ten times as long to render. */
function illustratedLand(stage: Stage, land: Land): string {
  const { path: outline, crest, colour, distance } = land;
  const flat = lit(stage, colour, distance);
  return (
    shape(outline, flat) +
    drawMarks(stage, land, adjust(flat, distance > 0.6 ? 1.07 : 0.88, 1.05)) +
    line(crest, inkOf(stage), 0.0042 * stage.frame.unit * (1.15 - 0.5 * distance), {
      'stroke-opacity': 1 - 0.35 * distance,
      'stroke-linejoin': 'round',
    })
  );
}

/** A gradient from the land's own colour into the mist at its foot. */
function plainLand(stage: Stage, { path, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const upper = lit(stage, colour, distance);
  const foot = mix(upper, stage.light.haze, mist * (0.25 + 0.6 * distance));
  return shape(path, stage.defs.vertical(top, bottom, upper, [0.35, mix(upper, foot, 0.25)], foot));
}

function photoLand(stage: Stage, land: Land): string {
  const { path, top, bottom, colour, distance, mist = 0.5 } = land;
  const { shade, haze } = stage.light;
  const upper = lit(stage, mix(colour, shade, 0.1 * (1 - distance)), distance);
  const foot = mix(upper, haze, Math.min(0.95, mist * (0.3 + 0.85 * distance)));
  const middle: readonly Stop[] = [
    [0.25, upper],
    [0.65, mix(upper, foot, 0.5)],
  ];
  const fill = stage.defs.vertical(top, bottom, mix(upper, shade, 0.16), ...middle, foot);
  return shape(path, fill) + drawDapples(stage, land);
}

function darkLand(stage: Stage, { path, crest, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const { light, defs, frame } = stage;
  const upper = mix(mix(lit(stage, colour, distance * 0.8), light.haze, 0.2), light.shade, 0.35);
  // A faintly glowing mist at the foot of each layer sets off what stands before it.
  const foot = mix(upper, light.haze, Math.min(0.85, mist * (0.5 + distance)));
  const rim = line(crest, light.glow, 0.0022 * frame.unit * (1.4 - distance * 0.7), {
    'stroke-opacity': 0.3 + 0.4 * distance,
    'stroke-linejoin': 'round',
  });
  return shape(path, defs.vertical(top, bottom, upper, [0.3, mix(upper, foot, 0.3)], foot)) + rim;
}

/** Darkens the corners; `level` is the height of the middle, stops how dark it is at shares of the way. */
function vignette({ frame, light, defs }: Stage, level: number, reach: number, ...stops: [number, number][]) {
  const radius = (Math.hypot(frame.width, frame.height) / 2) * reach;
  return cover(frame, defs.radial(frame.centre, frame.height * level, radius, fade(light.shade, ...stops)));
}

const inkedEdge: Style['edge'] = (stage, weight = 1) => ({
  stroke: inkOf(stage),
  'stroke-width': 0.0036 * stage.frame.unit * weight,
  'stroke-linejoin': 'round',
  'stroke-linecap': 'round',
});

const PLAIN: Style = {
  name: 'plain',
  detail: 0.7,
  air: 1,
  land: plainLand,
  edge: () => ({}),
  finish: () => '',
};

/** Every style by its name. */
export const STYLES: Readonly<Record<StyleName, Style>> = {
  plain: PLAIN,
  photo: {
    ...PLAIN,
    name: 'photo',
    detail: 1,
    air: 1.15,
    land: photoLand,
    finish: (stage) => drawGrain(stage) + vignette(stage, 0.46, 1.06, [0.42, 0], [0.78, 0.2], [1, 0.62]),
  },
  // Minimal scenes have a drawing of their own; the style only sets their time of day.
  minimal: { ...PLAIN, name: 'minimal', detail: 0 },
  dark: {
    ...PLAIN,
    name: 'dark',
    detail: 0.75,
    air: 0.9,
    land: darkLand,
    finish: (stage) => vignette(stage, 0.5, 1, [0.5, 0], [1, 0.55]),
  },
  illustration: {
    ...PLAIN,
    name: 'illustration',
    detail: 0.6,
    air: 0.55,
    land: illustratedLand,
    edge: inkedEdge,
  },
};
