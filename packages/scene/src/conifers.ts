/** Conifers: rows along a skyline, firs that carry snow, and dark groups close to the viewer. */
import { mix } from './colour';
import { along, type Side } from './frame';
import { landBelow, type Profile } from './land';
import type { Random } from './random';
import { compactPolygon, type Point } from './shapes';
import { lit, type Stage } from './stage';
import { path, shape } from './svg';

/** The outline of one fir; x is its trunk, y its foot. */
export function firPath(random: Random, x: number, y: number, height: number, tiers: number): string {
  const half = height * random.between(0.17, 0.24);
  const right: Point[] = [];
  const left: Point[] = [];
  for (let tier = 1; tier <= tiers; tier += 1) {
    const t = tier / tiers;
    const reach = half * t ** 0.85 * random.between(0.88, 1.1);
    const level = y - height * (1 - t * 0.94);
    const back = reach * (tier === tiers ? 0.16 : 0.52);
    const lift = tier === tiers ? 0 : -height * 0.025;
    right.push({ x: x + reach, y: level }, { x: x + back, y: level + lift });
    left.unshift({ x: x - back, y: level + lift }, { x: x - reach, y: level });
  }
  const foot = [
    { x: x + half * 0.12, y },
    { x: x - half * 0.12, y },
  ];
  return compactPolygon([{ x, y: y - height }, ...right, ...foot, ...left]);
}

/** Trees that stand on a skyline. */
export interface TreeRow {
  readonly label: string;
  readonly profile: Profile;
  readonly distance: number;
  /** 1 is a closed wood. */
  readonly density: number;
}

/** In panoramas small trees stand further apart, so that the size of the SVG stays bounded. */
export const thinned = ({ frame }: Stage, spacing: number): number =>
  spacing * Math.max(1, frame.breadth / 1.7) ** 0.9;

/** Draws a row of firs as one path; `tops` when the land is drawn afterwards and hides the feet. */
export function drawFirRow(
  stage: Stage,
  { label, profile, distance, density }: TreeRow,
  tops = false,
): string {
  const { frame, style, light, materials } = stage;
  const random = stage.random.fork(`firs-${label}`);
  const height = frame.unit * (0.115 - 0.085 * distance) * (tops ? 0.8 : 1);
  const wave = random.between(0, 9);
  const tiers = distance > 0.4 || frame.breadth > 3 ? 3 : distance > 0.15 ? 4 : 6;
  const spacing = thinned(stage, (height * 0.3) / Math.max(0.2, density));
  let data = '';
  for (const { x, random: own } of along(frame, random, spacing, { jitter: 0.4, margin: height * 0.3 })) {
    const at = (x - frame.centre) / frame.unit;
    const here = Math.sin(at / 0.13 + wave) + Math.sin(at / 0.047 + wave * 2);
    if (own.next() > 0.62 + 0.3 * here * density) continue;
    data += firPath(
      own,
      x,
      profile(x) + height * 0.12,
      height * own.between(0.55, 1.15) * (1 + 0.16 * here),
      tiers,
    );
  }
  const shade = style.name === 'dark' ? 0.9 : 0.25 * (1 - distance);
  return shape(data, lit(stage, mix(materials.pine, light.shade, shade), distance), style.edge(stage, 0.5));
}

/** Draws firs that carry snow on every tier, back to front; `clear` lists x positions that stay free. */
export function drawSnowyFirs(
  stage: Stage,
  { label, profile, distance, spacing }: Omit<TreeRow, 'density'> & { readonly spacing: number },
  clear: readonly number[] = [],
): string {
  const { frame, light, style } = stage;
  const random = stage.random.fork(`snowy-${label}`);
  const green = lit(stage, mix('#2d5a58', light.shade, 0.2), distance);
  const white = lit(stage, '#f8fbff', distance * 0.7);
  const tall = frame.unit * (0.3 - 0.36 * distance);
  const tiers = distance > 0.4 ? 3 : 4;
  let marks = '';
  for (const { x, random: own } of along(frame, random, thinned(stage, spacing * frame.unit), {
    jitter: 0.42,
    margin: tall * 0.25,
  })) {
    if (clear.some((spot) => Math.abs(x - spot) < frame.unit * 0.13)) continue;
    const height = tall * own.between(0.55, 1.1);
    const y = profile(x) + height * 0.06;
    const thick = height * 0.05;
    let body = path`M${x - thick / 2} ${y - 2 * thick}h${thick}v${2 * thick}h${-thick}z`;
    let snow = '';
    for (let tier = tiers; tier >= 1; tier -= 1) {
      const t = tier / tiers;
      const reach = height * 0.23 * t ** 0.8 * own.between(0.92, 1.1);
      const foot = y - height * (0.98 - t * 0.9);
      const tip = height * (0.24 + 0.1 * t);
      const hem = (dx: number, dy: number): string => path`${x + reach * dx} ${foot - tip * dy}`;
      body += path`M${x} ${foot - tip}L${x + reach} ${foot}Q${x} ${foot + reach * 0.28} ${x - reach} ${foot}Z`;
      snow += `M${hem(0, 1)}L${hem(0.9, 0.1)}Q${hem(0.62, 0.12)} ${hem(0.42, 0.36)}Q${hem(0.26, 0.2)} ${hem(0.02, 0.4)}Q${hem(-0.2, 0.24)} ${hem(-0.36, 0.42)}Q${hem(-0.56, 0.2)} ${hem(-0.84, 0.16)}Z`;
    }
    marks +=
      shape(body, green, style.edge(stage, 0.6)) +
      shape(snow, white, { 'fill-opacity': light.night ? 0.6 : 0.92 });
  }
  return marks;
}

/** Draws tall firs at one side, close enough to be cut by the border; `tall` is the height of the tallest. */
export function drawFirsAtSide(
  stage: Stage,
  side: Side,
  ground: Profile,
  tall: number,
  count: number,
): string {
  const { frame, light, style, materials } = stage;
  const random = stage.random.fork(`side${side}`);
  let data = '';
  for (let index = 0; index < count; index += 1) {
    // The outermost stands half outside, the others rise clear of one another.
    const inward = (-0.012 + 0.07 * index + random.between(-0.012, 0.02)) * frame.unit;
    const x = side === 0 ? inward : frame.width - inward;
    const height = tall * (1 - (0.72 * index) / count) * random.between(0.8, 1.05);
    data += firPath(
      random,
      x,
      ground(x) + tall * 0.06,
      height,
      Math.max(7, Math.round(12 * (height / tall))),
    );
  }
  return shape(data, lit(stage, mix(materials.pine, light.shade, 0.52)), style.edge(stage, 0.8));
}

/** Draws the nearest ground, with grass along it and a group of firs at the side away from the light. */
export function drawForeground(stage: Stage, ground: Profile, sunX: number): string {
  const { frame, light, style, materials } = stage;
  const random = stage.random.fork('foreground');
  const tall = Math.min(frame.height * 0.66, frame.unit * 0.46);
  const firs = drawFirsAtSide(stage, sunX > frame.centre ? 0 : 1, ground, tall, random.whole(3, 5));
  let grass = '';
  for (const { x, random: own } of along(frame, random, thinned(stage, frame.unit * 0.016), {
    jitter: 0.5,
  })) {
    if (!own.chance(style.detail)) continue;
    const height = frame.unit * own.between(0.01, 0.042);
    const lean = own.between(-0.5, 0.5) * height;
    const y = ground(x) + 4;
    grass += path`M${x - 1.4} ${y}Q${x} ${y - height * 0.6} ${x + lean} ${y - height}Q${x + 1.2} ${y - height * 0.5} ${x + 1.6} ${y}Z`;
  }
  const soil = mix(materials.grass, light.shade, 0.6);
  const land = { ...landBelow(ground, frame, frame.height + 5), colour: soil, distance: 0 };
  return firs + shape(grass, lit(stage, soil)) + style.land(stage, land);
}
