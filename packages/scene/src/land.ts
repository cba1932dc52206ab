/** Skylines, and the pieces of land below them: rolling ground and headlands, drawn as each style shows land. */
import { adjust, mix } from './colour';
import { createNoise, type Random } from './random';
import { along, edgeOf, type Frame, fromSide, lit, type Scene, type Side } from './scene';
import { curve, line, type Point, path, polyline, repeat, shape } from './svg';

/** The y of a skyline at an x, both in scene units. */
export type Profile = (x: number) => number;

/**
 * A rolling skyline: from `base` to about `height` above it; `wave` is the length of a hill in units, `octaves` the
 * number of layers of ever finer detail, 2 when absent.
 */
export type Hills = Readonly<Record<'base' | 'height' | 'wave', number>> & { readonly octaves?: number };

/** The skyline of rolling hills. */
export function hills(random: Random, frame: Frame, { base, height, wave, octaves = 2 }: Hills): Profile {
  const noise = createNoise(random, octaves, 0.38);
  const shift = random.between(0, 60);
  return (x) => base - height * (0.5 + 0.62 * noise((x - frame.centre) / (wave * frame.unit) + shift));
}

const SAMPLES_MAX = 240;

/** Points along a skyline, counted from the centre and reaching beyond both borders. */
export function sample(profile: Profile, frame: Frame, perUnit: number): readonly Point[] {
  const step = Math.max(frame.unit / perUnit, frame.width / SAMPLES_MAX);
  const reach = Math.ceil(frame.width / 2 / step) + 1;
  return Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const x = frame.centre + (index - reach) * step;
    return { x, y: profile(x) };
  });
}

/** The land below a skyline, down to `bottom` or else the lower border. */
export function landBelow(profile: Profile, frame: Frame, bottom = frame.height + 5, jagged = false) {
  const points = sample(profile, frame, jagged ? 92 : 24);
  const crest = jagged ? polyline(points) : curve(points);
  const outline = path`${crest}V${bottom}H${points[0]?.x ?? 0}z`;
  return { path: outline, crest, top: Math.min(...points.map(({ y }) => y)), bottom };
}

/** A piece of land, from its highest point down to `bottom`, in scene units. */
export interface Land {
  /** The closed outline. */
  readonly path: string;
  /** The skyline alone, for styles that light or ink it. */
  readonly crest: string;
  readonly top: number;
  readonly bottom: number;
  /** The material's own colour, before light and air. */
  readonly colour: string;
  /** 0 at the viewer, 1 at the horizon. */
  readonly distance: number;
  /** How much mist gathers at its foot, 0 to 1; 0.5 when absent. */
  readonly mist?: number;
}

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
function drawMarks(scene: Scene, { path: outline, top, bottom, distance }: Land, colour: string): string {
  const { frame, defs } = scene;
  const random = scene.random.fork(`marks${distance}`);
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

/** Draws a piece of land: flat and inked in an illustration, else with a gradient into the mist at its foot. */
export function drawLand(scene: Scene, land: Land): string {
  const { light, style, defs, frame } = scene;
  const { path, crest, top, bottom, colour, distance, mist = 0.5 } = land;
  const own = lit(scene, colour, distance);
  if (style.name === 'illustration') {
    const ink = { ...edgeOf(scene, 1.35 - 0.58 * distance), 'stroke-opacity': 1 - 0.35 * distance };
    const marks = drawMarks(scene, land, adjust(own, distance > 0.6 ? 1.07 : 0.88, 1.05));
    return shape(path, own) + marks + shape(crest, 'none', ink);
  }
  const dark = style.name === 'dark';
  const upper = dark ? mix(mix(own, light.haze, 0.2), light.shade, 0.35) : own;
  const foot = mix(upper, light.haze, Math.min(0.9, mist * (0.25 + 0.7 * distance + (dark ? 0.25 : 0))));
  const body = shape(path, defs.vertical(top, bottom, upper, [0.3, mix(upper, foot, 0.25)], foot));
  if (!dark) return body;
  // A faint rim of light sets off each layer from what stands behind it.
  const glow = { 'stroke-opacity': 0.3 + 0.4 * distance, 'stroke-linejoin': 'round' };
  return body + line(crest, light.glow, 0.0022 * frame.unit * (1.4 - distance * 0.7), glow);
}

/** A drawn piece of land and its skyline, so that things can stand on it. */
export interface Ground {
  readonly profile: Profile;
  readonly marks: string;
}

/** Rolling ground with a name of its own; `height` is a share of the frame's rise. */
export type GroundShape = Hills &
  Pick<Land, 'colour' | 'distance' | 'mist'> & { readonly label: string; readonly bottom?: number };

/** Draws rolling ground, down to `bottom` or else to the lower border. */
export function drawGround(scene: Scene, ground: GroundShape): Ground {
  const { frame, random } = scene;
  const height = ground.height * frame.rise;
  const profile = hills(random.fork(`ground-${ground.label}`), frame, { ...ground, height });
  const marks = drawLand(scene, { ...ground, ...landBelow(profile, frame, ground.bottom) });
  return { profile, marks };
}

/** Where a cape lies; `reach` and `height` are shares of width and rise. */
type Headland = Readonly<Record<'horizon' | 'reach' | 'height' | 'distance', number>> & {
  readonly label: string;
  readonly side: Side;
};

/** Draws a cape that reaches in from one side and falls to the water. */
export function drawHeadland(scene: Scene, cape: Headland): Ground {
  const { frame, materials } = scene;
  const noise = createNoise(scene.random.fork(cape.label), 4);
  const border = fromSide(frame, cape.side, 0);
  const inner = fromSide(frame, cape.side, cape.reach);
  const profile: Profile = (x) => {
    const inward = Math.max(0, (x - border) / (inner - border));
    const fall = Math.max(0, 1 - inward ** 2.2) ** 0.6;
    return cape.horizon + 1 - cape.height * frame.rise * fall * (0.82 + 0.4 * noise(inward * 4.2));
  };
  const land = landBelow(profile, frame, cape.horizon + 1, true);
  const colour = mix(materials.rock, materials.pine, 0.45);
  return { profile, marks: drawLand(scene, { ...land, colour, distance: cape.distance, mist: 0.6 }) };
}
