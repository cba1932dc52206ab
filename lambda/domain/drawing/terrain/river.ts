/** A river in perspective: it comes from the far ground in bends that widen towards the viewer. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import { firPath } from '../plants/pines';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { curveOn, type Point } from '../svg/path';

/** Where the river runs. */
export interface River {
  readonly top: number;
  readonly bottom: number;
  readonly sunX: number;
}

/** Draws the river, its banks and the firs beside it. */
export function drawRiver(stage: Stage, { top, bottom, sunX }: River): string {
  const { frame, light, canvas, look, mood } = stage;
  const random = stage.random.fork('bends');
  const materials = materialsOf(mood.season);
  const turn = random.chance(0.5) ? 1 : -1;
  const source = frame.centre + (sunX - frame.centre) * 0.5;
  const sway = Math.min(frame.width * 0.3, frame.unit * 0.3);
  const middle = (t: number): number =>
    source + turn * sway * Math.sin(t * Math.PI * 2.1) * t ** 0.75 * (1.15 - 0.3 * t);
  const half = (t: number): number => frame.unit * (0.004 + 0.2 * t ** 2.1);
  const steps = 22;
  const bank = (side: number, spread: number): Point[] =>
    Array.from({ length: steps + 1 }, (_, index) => {
      const t = index / steps;
      return {
        x: middle(t) + side * (half(t) + spread * frame.unit * (0.001 + 0.018 * t)),
        y: top + (bottom - top) * t ** 1.25 * 1.01,
      };
    });
  const strip = (spread: number): string => {
    const left = bank(-1, spread);
    const right = bank(1, spread).reverse();
    const first = left[0] ?? { x: 0, y: 0 };
    const turnPoint = right[0] ?? first;
    return `M${num(first.x)} ${num(first.y)}${curveOn(left)}L${num(turnPoint.x)} ${num(turnPoint.y)}${curveOn(right)}Z`;
  };
  const water = lit(stage, mix(materials.water, light.sky[0], 0.3), 0);
  const fill = canvas.linear(0, top, 0, bottom, [
    [0, light.sky[3]],
    [0.35, mix(light.sky[2], water, 0.3)],
    [1, water],
  ]);
  let flow = '';
  const lines = Math.round(46 * look.detail);
  for (let index = 0; index < lines; index += 1) {
    const t = random.between(0.12, 0.98);
    const y = top + (bottom - top) * t ** 1.25;
    const x = middle(t) + random.between(-0.8, 0.8) * half(t);
    const length = half(t) * random.between(0.15, 0.5);
    const drift = (middle(Math.min(1, t + 0.03)) - middle(t)) * 0.6;
    flow += `M${num(x)} ${num(y)}q${num(length / 2 + drift)} ${num(frame.unit * 0.003 * t)} ${num(length)} 0`;
  }
  let firs = '';
  for (let index = 0; index < 26; index += 1) {
    const t = (index + 0.5) / 26;
    const side = random.chance(0.5) ? 1 : -1;
    const x = middle(t * 0.8) + side * (half(t * 0.8) + frame.unit * (0.03 + random.between(0.02, 0.34)));
    const y = top + (bottom - top) * (t * 0.8) ** 1.25;
    firs += firPath(random, x, y, frame.unit * (0.03 + 0.14 * t ** 1.6) * random.between(0.7, 1.1), 6);
  }
  const edge = look.edge(stage, 0.5);
  return (
    element('path', {
      d: strip(1),
      fill: lit(stage, mix(materials.sand, materials.rock, 0.4), 0.2),
      ...edge,
    }) +
    element('path', { d: strip(0), fill }) +
    element('path', {
      d: flow,
      fill: 'none',
      stroke: mix(light.sun, light.sky[3], 0.3),
      'stroke-width': frame.unit * 0.0022,
      'stroke-linecap': 'round',
      'stroke-opacity': 0.5,
    }) +
    element('path', {
      d: firs,
      fill: lit(stage, mix(materials.pine, light.shade, 0.25), 0.16),
      ...look.edge(stage, 0.5),
    })
  );
}
