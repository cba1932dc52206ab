/** A branching cactus. */

import type { Standing } from '../built/boat';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

/** Draws the cactus with rounded limbs; y is its foot. */
export function drawCactus(stage: Stage, { x, y, height: h }: Standing, colour: string): string {
  const random = stage.random.fork(`cactus${Math.round(h)}`);
  const thick = h * 0.13;
  const arm = (side: number, from: number, out: number, up: number): string =>
    `M${num(x)} ${num(y - h * from)}h${num(side * h * out * 0.5)}q${num(side * h * out * 0.5)} 0 ${num(side * h * out * 0.5)} ${num(-h * out * 0.5)}v${num(-h * up)}`;
  const data =
    `M${num(x)} ${num(y)}V${num(y - h)}` +
    arm(-1, random.between(0.34, 0.44), 0.24, random.between(0.12, 0.26)) +
    arm(1, random.between(0.46, 0.56), 0.22, random.between(0.1, 0.24));
  const stroke = (width: number, ink: string, opacity?: number): string =>
    element('path', {
      d: data,
      fill: 'none',
      stroke: ink,
      'stroke-width': width,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'stroke-opacity': opacity,
    });
  const inked = stage.look.name === 'illustration' ? stroke(thick * 1.3, stage.light.shade) : '';
  return inked + stroke(thick, colour) + stroke(thick * 0.16, stage.light.glow, 0.28);
}
