/** A mountain range: summits with lit and shaded faces, and snow above a line. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import { createNoise, layered } from '../random/noise';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { type Point, polygon } from '../svg/path';
import { landBelow, type Profile } from './profile';

/** Where and how a range stands; lengths are in picture units. */
export interface Range {
  /** Names the range, so that each has its own choices. */
  readonly label: string;
  readonly base: number;
  readonly height: number;
  /** Mean distance between summits. */
  readonly spacing: number;
  readonly distance: number;
  readonly colour: string;
  /** How much of the summit is white, 0 to 1. */
  readonly snow: number;
  /** Where its land ends; `base` when absent. */
  readonly bottom?: number;
}

interface Summit {
  readonly x: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
}

function summitsOf(random: Random, stage: Stage, range: Range): readonly Summit[] {
  const reach = Math.ceil(stage.frame.width / 2 / range.spacing) + 1;
  const hero = random.whole(-1, 1);
  return Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const place = index - reach;
    // Each place has its own stream: a wider picture adds summits and leaves the others alone.
    const own = random.fork(`summit${place}`);
    const tall = place === hero ? 1 : own.between(0.42, 0.86);
    return {
      x: stage.frame.centre + (place + own.between(-0.3, 0.3)) * range.spacing,
      height: range.height * tall,
      left: own.between(0.72, 1.15),
      right: own.between(0.72, 1.15),
    };
  });
}

function skyline(random: Random, range: Range, summits: readonly Summit[]): Profile {
  const crags = layered(createNoise(random.fork('crags')), 4, 0.55);
  const slope = (range.height / range.spacing) * 1.15;
  return (x) => {
    let top = 0.12 * range.height;
    for (const summit of summits) {
      const away = x - summit.x;
      const fall = Math.abs(away) * slope * (away < 0 ? summit.left : summit.right);
      top = Math.max(top, summit.height - fall * (1 - 0.22 * Math.min(1, fall / summit.height)));
    }
    const rough = 0.07 * range.height * crags((x / range.spacing) * 5);
    return range.base - top - rough;
  };
}

/** The line where a face turns from light to shade, from the summit to the foot. */
function spine(random: Random, from: Point, bottom: number, sway: number): readonly Point[] {
  const steps = 7;
  let x = from.x;
  return Array.from({ length: steps + 1 }, (_, index) => {
    if (index > 0) x += (index % 2 === 0 ? -1 : 1.15) * sway * random.between(0.5, 1.2);
    return { x, y: from.y + ((bottom - from.y) * index) / steps };
  });
}

/** Draws a range; the sun stands on the side of `sunX`. */
export function drawRange(stage: Stage, range: Range, sunX: number): string {
  const { frame, light, look } = stage;
  const random = stage.random.fork(range.label);
  const summits = summitsOf(random, stage, range);
  const profile = skyline(random, range, summits);
  const bottom = range.bottom ?? range.base;
  const body = landBelow(profile, frame, bottom, { smooth: false, count: 130 });
  const mass = look.land(stage, { ...body, colour: range.colour, distance: range.distance });
  if (look.detail < 0.3) return mass;

  const shaded = lit(stage, mix(range.colour, light.shade, 0.75), range.distance);
  const white = lit(stage, mix('#f8fbff', light.glow, 0.25), range.distance * 0.55);
  const foot = range.base;
  const fade = stage.canvas.linear(0, foot - range.height, 0, foot, [
    [0, shaded, 0.75],
    [0.55, shaded, 0.45],
    [1, shaded, 0],
  ]);
  let snow = '';
  let shade = '';
  for (const summit of summits) {
    const own = random.fork(`face${Math.round(summit.x - frame.centre)}`);
    const top = { x: summit.x, y: profile(summit.x) };
    // A summit that a taller neighbour hides has no face of its own.
    if (top.y > foot - summit.height * 0.75) continue;
    const side = sunX > summit.x ? -1 : 1;
    const fall = spine(own, top, foot, 0.035 * range.spacing * -side);
    const edge: Point[] = [];
    for (let step = 0; step <= 14; step += 1) {
      const x = summit.x + (side * step * range.spacing * 0.75) / 14;
      const y = profile(x);
      const previous = edge[edge.length - 1];
      if (previous && step > 5 && y < previous.y - 0.05 * range.height) break;
      edge.push({ x, y });
    }
    const end = edge[edge.length - 1] ?? top;
    shade += polygon([...edge, { x: end.x - side * 0.1 * range.spacing, y: foot }, ...[...fall].reverse()]);
    if (range.snow > 0) snow += snowCap(own, profile, summit, range);
  }
  return (
    mass +
    (snow === '' ? '' : element('path', { d: snow, fill: white, 'fill-opacity': 0.94 })) +
    element('path', { d: shade, fill: fade })
  );
}

function snowCap(random: Random, profile: Profile, summit: Summit, range: Range): string {
  const depth = summit.height * (0.16 + 0.42 * range.snow);
  const line = range.base - summit.height + depth;
  const step = range.spacing / 26;
  const along = (side: number): Point[] => {
    const points: Point[] = [];
    for (let index = 0; index < 16; index += 1) {
      const x = summit.x + side * index * step;
      const y = profile(x);
      if (y > line) break;
      points.push({ x, y });
    }
    return points;
  };
  const left = along(-1);
  const right = along(1);
  const from = left[left.length - 1];
  const to = right[right.length - 1];
  if (!from || !to || to.x - from.x < step) return '';
  const teeth = 7;
  const lower = Array.from({ length: teeth - 1 }, (_, index) => {
    const t = (index + 1) / teeth;
    const hang = (index % 2 === 0 ? 0.55 : 0.12) * random.between(0.5, 1.1);
    return { x: to.x + (from.x - to.x) * t, y: line + depth * (hang - 0.12) };
  });
  return polygon([...[...left].reverse(), ...right.slice(1), ...lower]);
}
