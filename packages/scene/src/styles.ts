/** How each style draws land and outlines, and what it lays over the whole scene. */
import { adjust, mix } from './colour';
import { along, cover } from './frame';
import type { StyleName } from './palettes';
import type { Random } from './random';
import { type Land, lit, type Stage, type Style } from './stage';
import { box, fade, line, path, repeat, shape } from './svg';

const GRAIN_TILE = 150;

/** Light and dark specks over the whole scene; they also hide the steps of long gradients. */
function drawGrain({ frame, random: source, defs }: Stage): string {
  const random = source.fork('grain');
  const specks = (colour: string, opacity: number): string => {
    const speck = (): string => box(random.next() * GRAIN_TILE, random.next() * GRAIN_TILE, 0.8, 0.8);
    return shape(repeat(240, speck), colour, { opacity });
  };
  return cover(frame, defs.tile(GRAIN_TILE, specks('#ffffff', 0.12) + specks('#000000', 0.15)));
}

const inkOf = ({ light }: Stage): string => mix(light.shade, '#000000', 0.15);

type Mark = (x: number, y: number, size: number, random: Random) => string;

const MARKS: readonly [Mark, ...Mark[]] = [
  (x, y, size, random) => path`M${x} ${y}h${size * random.between(0.4, 1.1)}`,
  (x, y) => path`M${x} ${y}h0`,
  (x, y, size) => path`M${x} ${y}q${size * 0.3} ${-size * 0.4} ${size * 0.6} 0t${size * 0.6} 0`,
  (x, y, size) => path`M${x} ${y}l${size * 0.2} ${-size * 0.5}l${size * 0.2} ${size * 0.5}`,
];

/**
 * Dashes, dots, waves or tufts, cut to the land's outline; nearer land has larger and fewer ones. They are drawn one
 * by one, as a repeated pattern would take ten times as long to render.
 */
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

function illustratedLand(stage: Stage, land: Land): string {
  const { path: outline, crest, colour, distance } = land;
  const flat = lit(stage, colour, distance);
  const ink = { 'stroke-opacity': 1 - 0.35 * distance, 'stroke-linejoin': 'round' };
  return (
    shape(outline, flat) +
    drawMarks(stage, land, adjust(flat, distance > 0.6 ? 1.07 : 0.88, 1.05)) +
    line(crest, inkOf(stage), 0.0042 * stage.frame.unit * (1.15 - 0.5 * distance), ink)
  );
}

/** A gradient from the land's own colour into the mist at its foot; `air` says how thick that is. */
function mistyLand(stage: Stage, { path, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const { light, style, defs } = stage;
  const photo = style.name === 'photo';
  const upper = lit(stage, photo ? mix(colour, light.shade, 0.1 * (1 - distance)) : colour, distance);
  const foot = mix(upper, light.haze, Math.min(0.95, mist * (0.25 + 0.7 * style.air * distance)));
  const crest = photo ? mix(upper, light.shade, 0.16) : upper;
  return shape(path, defs.vertical(top, bottom, crest, [0.3, mix(upper, foot, 0.2)], foot));
}

function darkLand(stage: Stage, { path, crest, top, bottom, colour, distance, mist = 0.5 }: Land): string {
  const { light, defs, frame } = stage;
  const upper = mix(mix(lit(stage, colour, distance * 0.8), light.haze, 0.2), light.shade, 0.35);
  // A faintly glowing mist at the foot of each layer sets off what stands before it.
  const foot = mix(upper, light.haze, Math.min(0.85, mist * (0.5 + distance)));
  const glow = { 'stroke-opacity': 0.3 + 0.4 * distance, 'stroke-linejoin': 'round' };
  const rim = line(crest, light.glow, 0.0022 * frame.unit * (1.4 - distance * 0.7), glow);
  return shape(path, defs.vertical(top, bottom, upper, [0.3, mix(upper, foot, 0.3)], foot)) + rim;
}

/** Darkens the corners; stops say how dark it is at shares of the way from the middle. */
function vignette({ frame, light, defs }: Stage, ...stops: [number, number][]): string {
  const radius = Math.hypot(frame.width, frame.height) / 2;
  return cover(frame, defs.radial(frame.centre, frame.height * 0.48, radius, fade(light.shade, ...stops)));
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
  land: mistyLand,
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
    finish: (stage) => drawGrain(stage) + vignette(stage, [0.42, 0], [0.78, 0.2], [1, 0.6]),
  },
  // Minimal scenes have a drawing of their own; the style only sets their time of day.
  minimal: { ...PLAIN, name: 'minimal', detail: 0 },
  dark: {
    ...PLAIN,
    name: 'dark',
    detail: 0.75,
    air: 0.9,
    land: darkLand,
    finish: (stage) => vignette(stage, [0.5, 0], [1, 0.55]),
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
