/** Conifers: rows along a skyline, firs that carry snow, dark groups close to the viewer, and grass. */
import { mix } from './colour';
import { drawGround, drawLand, type Ground, type GroundShape, hills, landBelow, type Profile } from './land';
import type { Random } from './random';
import { along, edgeOf, lit, type Scene, type Side, thinned } from './scene';
import { type Point, path, polygon, repeat, shape } from './svg';

/** The outline of one fir; x is its trunk, y its foot. */
export function firPath(random: Random, x: number, y: number, height: number, tiers: number): string {
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

/** Plants that stand on a skyline. */
export interface Row {
  readonly label: string;
  readonly profile: Profile;
  readonly distance: number;
}

/** Trees on a skyline; a density of 1 is a closed wood. */
export type TreeRow = Row & { readonly density: number };

/** Draws a row of firs as one path; `tops` when the land is drawn afterwards and hides the feet. */
export function drawFirRow(scene: Scene, row: TreeRow, tops = false): string {
  const { frame, style, light, materials } = scene;
  const { profile, distance, density } = row;
  const random = scene.random.fork(`firs-${row.label}`);
  const height = frame.unit * (0.115 - 0.085 * distance) * (tops ? 0.8 : 1);
  const wave = random.between(0, 9);
  const tiers = distance > 0.4 || frame.breadth > 3 ? 3 : distance > 0.15 ? 4 : 6;
  const spacing = thinned(frame, (height * 0.3) / density);
  const firs = along(frame, random, spacing, 0.4, height * 0.3).map(({ x, random: own }) => {
    const at = (x - frame.centre) / frame.unit;
    const here = Math.sin(at / 0.13 + wave) + Math.sin(at / 0.047 + wave * 2);
    if (own.next() > 0.62 + 0.3 * here * density) return '';
    const tall = height * own.between(0.55, 1.15) * (1 + 0.16 * here);
    return firPath(own, x, profile(x) + height * 0.12, tall, tiers);
  });
  const shade = style.name === 'dark' ? 0.9 : 0.25 * (1 - distance);
  const colour = lit(scene, mix(materials.pine, light.shade, shade), distance);
  return shape(firs.join(''), colour, edgeOf(scene, 0.5));
}

/** Draws rolling ground with firs behind its skyline. */
export function drawWoodedGround(scene: Scene, ground: GroundShape & Pick<TreeRow, 'density'>): Ground {
  const { profile, marks } = drawGround(scene, ground);
  return { profile, marks: drawFirRow(scene, { ...ground, profile }, true) + marks };
}

/** A row of firs that carry snow, at a mean distance of `spacing` units, with none around the `clear` positions. */
type SnowyRow = Row & { readonly spacing: number; readonly clear: readonly number[] };

/** Draws firs that carry snow on every tier, back to front. */
export function drawSnowyFirs(scene: Scene, { label, profile, distance, spacing, clear }: SnowyRow): string {
  const { frame, light } = scene;
  const random = scene.random.fork(`snowy-${label}`);
  const pine = lit(scene, mix('#2d5a58', light.shade, 0.2), distance);
  const snow = lit(scene, '#f8fbff', distance * 0.7);
  const tall = frame.unit * (0.3 - 0.36 * distance);
  const spots = along(frame, random, thinned(frame, spacing * frame.unit), 0.42, tall * 0.25);
  const free = spots.filter(({ x }) => clear.every((spot) => Math.abs(x - spot) >= frame.unit * 0.13));
  const firs = free.map(({ x, random: own }) => {
    const height = tall * own.between(0.55, 1.1);
    const fir = snowyFir(own, x, profile(x) + height * 0.06, height, distance > 0.4 ? 3 : 4);
    const cover = shape(fir.white, snow, { 'fill-opacity': light.night ? 0.6 : 0.92 });
    return shape(fir.green, pine, edgeOf(scene, 0.6)) + cover;
  });
  return firs.join('');
}

/** One fir that carries snow: the outlines of its green and of its white. */
function snowyFir(random: Random, x: number, y: number, height: number, tiers: number) {
  const thick = height * 0.05;
  let green = path`M${x - thick / 2} ${y - 2 * thick}h${thick}v${2 * thick}h${-thick}z`;
  let white = '';
  for (let tier = tiers; tier >= 1; tier -= 1) {
    const t = tier / tiers;
    const reach = height * 0.23 * t ** 0.8 * random.between(0.92, 1.1);
    const foot = y - height * (0.98 - t * 0.9);
    const tip = height * (0.24 + 0.1 * t);
    const hem = (dx: number, dy: number): string => path`${x + reach * dx} ${foot - tip * dy}`;
    green += `M${hem(0, 1)}L${hem(1, 0)}Q${hem(0, -0.2)} ${hem(-1, 0)}Z`;
    const right = `Q${hem(0.62, 0.12)} ${hem(0.42, 0.36)}Q${hem(0.26, 0.2)} ${hem(0.02, 0.4)}`;
    const left = `Q${hem(-0.2, 0.24)} ${hem(-0.36, 0.42)}Q${hem(-0.56, 0.2)} ${hem(-0.84, 0.16)}`;
    white += `M${hem(0, 1)}L${hem(0.9, 0.1)}${right}${left}Z`;
  }
  return { green, white };
}

/** Draws tall firs at one side, close enough to be cut by the border; `tall` is the height of the tallest. */
export function drawFirsAtSide(scene: Scene, side: Side, ground: Profile, tall: number, count: number) {
  const { frame, light, materials } = scene;
  const random = scene.random.fork(`side${side}`);
  const data = repeat(count, (index) => {
    // The outermost stands half outside, the others rise clear of one another.
    const inward = (-0.012 + 0.07 * index + random.between(-0.012, 0.02)) * frame.unit;
    const x = side === -1 ? inward : frame.width - inward;
    const share = (1 - (0.72 * index) / count) * random.between(0.8, 1.05);
    return firPath(random, x, ground(x) + tall * 0.06, tall * share, Math.max(7, Math.round(12 * share)));
  });
  return shape(data, lit(scene, mix(materials.pine, light.shade, 0.52)), edgeOf(scene, 0.8));
}

/** One blade of grass that leans by `lean`; y is its foot. */
export const blade = (x: number, y: number, height: number, lean: number): string =>
  path`M${x} ${y}q${lean * 0.2} ${-height * 0.6} ${lean} ${-height}` +
  path`q${-lean * 0.4} ${height * 0.5} ${height * 0.08 - lean} ${height}z`;

/** Draws the nearest ground up to `height`, with grass and a group of firs at one side. */
export function drawForeground(scene: Scene, height: number, side: Side): string {
  const { frame, light, style, materials } = scene;
  const random = scene.random.fork('foreground');
  const ground = hills(random, frame, { base: frame.height, height, wave: 0.5, octaves: 3 });
  const tall = Math.min(frame.height * 0.66, frame.unit * 0.46);
  const firs = drawFirsAtSide(scene, side, ground, tall, random.whole(3, 5));
  const blades = along(frame, random, thinned(frame, frame.unit * 0.016), 0.5).map(({ x, random: own }) => {
    const length = frame.unit * own.between(0.01, 0.042);
    return own.chance(style.detail) ? blade(x, ground(x) + 4, length, own.between(-0.5, 0.5) * length) : '';
  });
  const soil = mix(materials.grass, light.shade, 0.6);
  const land = drawLand(scene, { ...landBelow(ground, frame), colour: soil, distance: 0 });
  return firs + shape(blades.join(''), lit(scene, soil)) + land;
}
