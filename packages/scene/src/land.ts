/** Skylines, and the pieces of land below them: rolling ground and headlands, drawn as each style shows land. */
import { mix } from './colour';
import { createNoise, type Random } from './random';
import { along, edgeOf, type Frame, lit, type Scene, thinned } from './scene';
import { curve, line, type Point, path, polygon, shape } from './svg';

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

/** The land below a skyline, which reaches beyond both borders, down to `bottom` or else the lower border. */
export function landBelow(profile: Profile, frame: Frame, bottom = frame.height + 5) {
  const step = Math.max(frame.unit / 24, frame.width / SAMPLES_MAX);
  const reach = Math.ceil(frame.width / 2 / step) + 1;
  const points = Array.from({ length: 2 * reach + 1 }, (_, index): Point => {
    const x = frame.centre + (index - reach) * step;
    return { x, y: profile(x) };
  });
  const crest = curve(points);
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

/** Draws a piece of land: flat and inked in an illustration, else with a gradient into the mist at its foot. */
export function drawLand(scene: Scene, land: Land): string {
  const { light, style, defs, frame } = scene;
  const { path, crest, top, bottom, colour, distance, mist = 0.5 } = land;
  const own = lit(scene, colour, distance);
  if (style.flat) {
    const ink = { ...edgeOf(scene, 1.35 - 0.58 * distance), 'stroke-opacity': 1 - 0.35 * distance };
    return shape(path, own) + (style.inked ? shape(crest, 'none', ink) : '');
  }
  const dark = style.dark;
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

/** The outline of one fir; x is its trunk, y its foot. */
function firPath(random: Random, x: number, y: number, height: number, tiers: number): string {
  const half = height * random.between(0.17, 0.24);
  const [right, left]: [Point[], Point[]] = [[], []];
  for (let tier = 1; tier <= tiers; tier += 1) {
    const t = tier / tiers;
    const reach = half * t ** 0.85 * random.between(0.88, 1.1);
    const level = y - height * (1 - t * 0.94);
    const back = reach * (tier === tiers ? 0.16 : 0.52);
    right.push({ x: x + reach, y: level }, { x: x + back, y: level - height * 0.02 });
    left.unshift({ x: x - back, y: level - height * 0.02 }, { x: x - reach, y: level });
  }
  const thick = half * 0.12;
  return polygon([{ x, y: y - height }, ...right, { x: x + thick, y }, { x: x - thick, y }, ...left]);
}

/** Firs on a skyline; a density of 1 is a closed wood, `scale` 1 the height that suits the distance. */
interface FirRow {
  readonly label: string;
  readonly profile: Profile;
  readonly distance: number;
  readonly density: number;
  readonly scale?: number;
}

/** Draws a row of firs, in winter with snow on them. */
export function drawFirs(scene: Scene, { label, profile, distance, density, scale = 1 }: FirRow): string {
  const { frame, style, light, materials, reading } = scene;
  if (style.detail === 0 && distance > 0.4) return '';
  const random = scene.random.fork(`firs-${label}`);
  const height = frame.unit * (0.115 - 0.085 * distance) * scale;
  const wave = random.between(0, 9);
  const tiers = distance > 0.4 || frame.breadth > 3 ? 3 : distance > 0.15 ? 4 : 6;
  const firs = along(frame, random, thinned(frame, (height * 0.3) / density), 0.4, height * 0.3).map(
    ({ x, random: own }) => {
      const at = (x - frame.centre) / frame.unit;
      const here = Math.sin(at / 0.13 + wave) + Math.sin(at / 0.047 + wave * 2);
      if (own.next() > 0.62 + 0.3 * here * density) return '';
      return firPath(
        own,
        x,
        profile(x) + height * 0.12,
        height * own.between(0.55, 1.15) * (1 + 0.16 * here),
        tiers,
      );
    },
  );
  const data = firs.join('');
  const shade = style.dark ? 0.9 : 0.25 * (1 - distance);
  const green = lit(scene, mix(materials.pine, light.shade, shade), distance);
  const snow = shape(data, lit(scene, '#f8fbff', distance * 0.7), {
    transform: path`translate(0 ${-height * 0.035})`,
  });
  return (reading.place === 'winter' ? snow : '') + shape(data, green, edgeOf(scene, 0.5));
}

/** Draws rolling ground with firs behind its skyline. */
export function drawWoods(scene: Scene, ground: GroundShape & Pick<FirRow, 'density' | 'scale'>): Ground {
  const { profile, marks } = drawGround(scene, ground);
  return { profile, marks: drawFirs(scene, { scale: 0.8, ...ground, profile }) + marks };
}
