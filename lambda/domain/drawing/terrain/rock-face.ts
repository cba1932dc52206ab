/** The face of a cliff: columns of lighter and darker rock, ledges, a seam of green on top. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { type Point, polygon } from '../svg/path';
import { type Profile, pointsAlong } from './profile';

/** Where the face is: below a skyline, above a foot. */
export interface RockFace {
  readonly label: string;
  readonly top: Profile;
  readonly foot: number;
  readonly distance: number;
}

/** Draws the marks on a cliff that is already filled. */
export function drawRockFace(stage: Stage, { label, top, foot, distance }: RockFace): string {
  const { frame, light, look, mood } = stage;
  const random = stage.random.fork(`face-${label}`);
  const step = frame.unit * 0.03;
  let dark = '';
  let pale = '';
  let x = -step;
  while (x < frame.width + step) {
    const width = step * random.between(0.4, 1.7);
    const kind = random.next();
    const from = random.between(0, 0.16);
    const to = random.between(0.55, 1);
    const slant = random.between(-0.3, 0.3) * width;
    const level = (at: number, t: number): number => top(at) + (foot - top(at)) * t;
    const column: readonly Point[] = [
      { x, y: level(x, from) },
      { x: x + width, y: level(x + width, from + 0.03) },
      { x: x + width + slant * 0.4, y: level(x + width, (from + to) / 2) },
      { x: x + width * 0.8 + slant, y: level(x + width, to) },
      { x: x + width * 0.2 + slant, y: level(x, to - 0.05) },
    ];
    if (kind < 0.42) dark += polygon(column);
    else if (kind < 0.72) pale += polygon(column);
    x += width;
  }
  let ledges = '';
  for (let ledge = 0; ledge < Math.round(26 * look.detail); ledge += 1) {
    const at = random.next() * frame.width;
    const y = top(at) + (foot - top(at)) * random.between(0.15, 0.9);
    const long = frame.unit * random.between(0.02, 0.07);
    ledges += `M${num(at)} ${num(y)}l${num(long)} ${num(random.between(-4, 4))}l${num(-long * 0.3)} ${num(frame.unit * 0.006)}l${num(-long * 0.6)} ${num(-frame.unit * 0.001)}z`;
  }
  const crest = pointsAlong(top, frame, 70);
  const moss = polygon([
    ...crest.map(({ x: px, y }) => ({ x: px, y: y - 1 })),
    ...[...crest]
      .reverse()
      .map(({ x: px, y }) => ({ x: px, y: y + frame.unit * random.between(0.006, 0.034) })),
  ]);
  const green = lit(stage, mix(materialsOf(mood.season).grass, materialsOf(mood.season).pine, 0.4), distance);
  return (
    element('path', { d: dark, fill: light.shade, 'fill-opacity': 0.16 }) +
    element('path', { d: pale, fill: light.glow, 'fill-opacity': light.night ? 0.05 : 0.13 }) +
    element('path', { d: ledges, fill: light.shade, 'fill-opacity': 0.2 }) +
    element('path', { d: moss, fill: green })
  );
}
