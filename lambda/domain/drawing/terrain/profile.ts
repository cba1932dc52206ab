/** Skylines: functions from a place to a height, and the land below them. */
import type { Frame } from '../frame';
import { createNoise, layered } from '../random/noise';
import type { Random } from '../random/random';
import type { Land } from '../stage';
import { num } from '../svg/element';
import { curve, curveOn, type Point, polyline } from '../svg/path';

/** The y of a skyline at an x, both in picture units. */
export type Profile = (x: number) => number;

/** How a rolling skyline is shaped; lengths are in picture units. */
export interface HillShape {
  readonly base: number;
  readonly height: number;
  readonly wavelength: number;
  readonly octaves?: number;
}

/** A rolling skyline between `base` and about `height` above it. */
export function hills(
  random: Random,
  frame: Frame,
  { base, height, wavelength, octaves = 2 }: HillShape,
): Profile {
  const noise = layered(createNoise(random), octaves, 0.38);
  const shift = random.between(0, 60);
  return (x) => base - height * (0.5 + 0.62 * noise((x - frame.centre) / wavelength + shift));
}

/** Points along a skyline from edge to edge, a little beyond both. */
export function pointsAlong(profile: Profile, frame: Frame, count: number): readonly Point[] {
  const margin = 0.03 * frame.width;
  const step = (frame.width + 2 * margin) / count;
  return Array.from({ length: count + 1 }, (_, index) => {
    const x = -margin + index * step;
    return { x, y: profile(x) };
  });
}

/** The outline, crest and extent of the land below a skyline. */
export function landBelow(
  profile: Profile,
  frame: Frame,
  bottom: number,
  { smooth = true, count = 26 } = {},
): Pick<Land, 'path' | 'crest' | 'top' | 'bottom'> {
  const points = pointsAlong(
    profile,
    frame,
    smooth ? Math.min(90, Math.ceil(count * Math.max(1, frame.width / frame.unit))) : count,
  );
  const first = points[0] ?? { x: 0, y: bottom };
  const last = points[points.length - 1] ?? first;
  const crest = smooth ? curve(points) : polyline(points);
  const down = `L${num(last.x)} ${num(bottom)}L${num(first.x)} ${num(bottom)}Z`;
  const body = smooth ? `M${num(first.x)} ${num(first.y)}${curveOn(points)}` : crest;
  return { path: body + down, crest, top: Math.min(...points.map(({ y }) => y)), bottom };
}
