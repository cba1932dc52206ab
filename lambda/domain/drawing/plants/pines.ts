/** Conifers: single firs, and rows of them along a skyline. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { compactPolygon, type Point } from '../svg/path';
import type { Profile } from '../terrain/profile';

/** The outline of one fir; x is its trunk, y its foot. */
export function firPath(random: Random, x: number, y: number, height: number, tiers: number): string {
  const half = height * random.between(0.17, 0.24);
  const top = { x, y: y - height };
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
  return compactPolygon([top, ...right, { x: x + half * 0.12, y }, { x: x - half * 0.12, y }, ...left]);
}

/** A row of firs that stand on a skyline. */
export interface PineRow {
  readonly label: string;
  readonly profile: Profile;
  readonly distance: number;
  /** 1 is a closed wood. */
  readonly density: number;
  /** True when the land is drawn afterwards and hides the feet. */
  readonly tops?: boolean;
}

/** Draws the row as one path. */
export function drawPineRow(stage: Stage, row: PineRow): string {
  const { frame, look, light, mood } = stage;
  const random = stage.random.fork(`pines-${row.label}`);
  const materials = materialsOf(mood.season);
  const height = frame.unit * (0.115 - 0.085 * row.distance) * (row.tops ? 0.8 : 1);
  const gap = (height * 0.3) / Math.max(0.2, row.density);
  const wave = random.between(0, 9);
  const number = Math.min(104, Math.ceil(frame.width / gap));
  const step = frame.width / number;
  const tiers = row.distance > 0.4 ? 3 : row.distance > 0.15 ? 4 : 6;
  let data = '';
  for (let index = -1; index <= number; index += 1) {
    const own = random;
    const x = (index + own.between(0.1, 0.9)) * step;
    const here = Math.sin(x / (frame.unit * 0.13) + wave) + Math.sin(x / (frame.unit * 0.047) + wave * 2);
    const size = height * own.between(0.55, 1.15) * (1 + 0.16 * here);
    if (own.next() > 0.62 + 0.3 * here * row.density) continue;
    data += firPath(own, x, row.profile(x) + height * 0.12, size, tiers);
  }
  if (data === '') return '';
  const colour = lit(
    stage,
    mix(materials.pine, light.shade, look.name === 'dark' ? 0.9 : 0.25 * (1 - row.distance)),
    row.distance,
  );
  return element('path', { d: data, fill: colour, ...look.edge(stage, 0.5) });
}
