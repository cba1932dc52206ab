/** Dunes: a smooth crest, and from its summit a winding edge between light and shade. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { curveOn, type Point } from '../svg/path';
import { hills, landBelow } from './profile';

/** Where a row of dunes lies. */
export interface Dune {
  readonly label: string;
  readonly base: number;
  readonly height: number;
  readonly distance: number;
  readonly sand: string;
  readonly sunX: number;
}

/** Draws one row. */
export function drawDune(stage: Stage, { label, base, height, distance, sand, sunX }: Dune): string {
  const { frame, light, canvas, look } = stage;
  const random = stage.random.fork(`dune-${label}`);
  const wavelength = frame.unit * (0.62 - 0.3 * distance);
  const profile = hills(random, frame, { base, height, wavelength, octaves: 1 });
  const land = look.land(stage, {
    ...landBelow(profile, frame, frame.height + 5, { count: 30 }),
    colour: sand,
    distance,
    mist: 0.5,
  });

  const step = frame.unit / 60;
  const summits: number[] = [];
  for (let x = -frame.unit * 0.2; x < frame.width + frame.unit * 0.2; x += step) {
    if (profile(x) < profile(x - step) && profile(x) <= profile(x + step)) summits.push(x);
  }
  const shade = mix(lit(stage, mix(sand, light.shade, 0.5), distance), light.haze, distance * 0.2);
  const fill = canvas.linear(0, base - height, 0, base + height * 0.9, [
    [0, shade, 0.85],
    [0.5, shade, 0.5],
    [1, shade, 0],
  ]);
  const slopes = summits.map((summit) => {
    const own = random.fork(`slope${num((summit - frame.centre) / 40)}`);
    const side = sunX > summit ? -1 : 1;
    const span = wavelength * own.between(0.5, 0.75);
    const crest: Point[] = Array.from({ length: 9 }, (_, index) => {
      const x = summit + (side * span * index) / 8;
      return { x, y: profile(x) };
    });
    const end = crest[8] ?? { x: summit, y: base };
    const fall = height * own.between(0.9, 1.3);
    const sway = side * wavelength;
    const top = { x: summit, y: profile(summit) };
    const edge: Point[] = [
      { x: end.x + sway * 0.12, y: top.y + fall * 1.25 },
      { x: summit + sway * 0.34, y: top.y + fall * 0.95 },
      { x: summit + sway * 0.02, y: top.y + fall * 0.52 },
      { x: summit + sway * 0.1, y: top.y + fall * 0.2 },
      top,
    ];
    return `M${num(top.x)} ${num(top.y)}${curveOn(crest)}${curveOn([end, ...edge])}Z`;
  });
  return land + (slopes.length === 0 ? '' : element('path', { d: slopes.join(''), fill }));
}
