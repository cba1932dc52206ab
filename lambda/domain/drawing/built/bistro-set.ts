/** A round table with two chairs, with or without a parasol. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import type { Standing } from './boat';

/** The set; `parasol` is its colour. */
export interface BistroSet extends Standing {
  readonly parasol?: string | undefined;
}

/** Draws the set; y is the ground, `height` about twice a table's. */
export function drawBistroSet(stage: Stage, random: Random, { x, y, height: h, parasol }: BistroSet): string {
  const { light, look } = stage;
  const at = (dx: number, dy: number): string => `${num(x + dx * h)} ${num(y + dy * h)}`;
  const edge = look.edge(stage, 0.6);
  const iron = lit(stage, '#33353f', 0);
  const wood = lit(stage, random.pick(['#8a5a3c', '#a8744a', '#6f4a3a']), 0);
  const line = (d: string, width: number): string =>
    element('path', {
      d,
      fill: 'none',
      stroke: iron,
      'stroke-width': width * h,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    });
  const mark = (d: string, fill: string): string => element('path', { d, fill, ...edge });
  const chair = (side: number): string => {
    const seat = 0.62 * side;
    const back = 0.84 * side;
    return (
      line(
        `M${at(seat - 0.14 * side, 0)}L${at(seat - 0.12 * side, -0.34)}M${at(back, 0)}L${at(back - 0.02 * side, -0.34)}L${at(back + 0.06 * side, -0.78)}`,
        0.03,
      ) +
      mark(
        `M${at(seat - 0.18 * side, -0.38)}L${at(back + 0.02 * side, -0.38)}L${at(back + 0.02 * side, -0.32)}L${at(seat - 0.18 * side, -0.32)}Z`,
        wood,
      ) +
      mark(
        `M${at(back + 0.0 * side, -0.56)}L${at(back + 0.05 * side, -0.8)}L${at(back + 0.1 * side, -0.8)}L${at(back + 0.05 * side, -0.56)}Z`,
        wood,
      )
    );
  };
  const shade = element('ellipse', {
    cx: x,
    cy: y + 0.02 * h,
    rx: h * (parasol ? 1.15 : 0.95),
    ry: h * 0.12,
    fill: light.shade,
    'fill-opacity': 0.2,
  });
  const cup = lit(stage, '#fffaf2', 0);
  const table =
    line(`M${at(0, -0.5)}V${num(y - 0.04 * h)}M${at(-0.2, 0)}Q${at(0, -0.1)} ${at(0.2, 0)}`, 0.045) +
    mark(
      `M${at(-0.42, -0.53)}a${num(0.42 * h)} ${num(0.07 * h)} 0 0 1 ${num(0.84 * h)} 0a${num(0.42 * h)} ${num(0.07 * h)} 0 0 1 ${num(-0.84 * h)} 0z`,
      lit(stage, '#efe4d2', 0),
    ) +
    mark(`M${at(-0.18, -0.64)}h${num(0.13 * h)}l${num(-0.02 * h)} ${num(0.09 * h)}h${num(-0.09 * h)}z`, cup) +
    mark(`M${at(0.08, -0.66)}h${num(0.12 * h)}l${num(-0.02 * h)} ${num(0.1 * h)}h${num(-0.08 * h)}z`, cup);
  if (!parasol) return shade + chair(-1) + table + chair(1);
  const cloth = lit(stage, parasol, 0);
  const segment = (from: number, to: number, fill: string): string =>
    mark(
      `M${at(0, -2.18)}Q${at(from * 0.7, -2)} ${at(from, -1.58)}Q${at((from + to) / 2, -1.66)} ${at(to, -1.58)}Q${at(to * 0.7, -2)} ${at(0, -2.18)}Z`,
      fill,
    );
  const pale = lit(stage, '#fbf3e4', 0);
  const canopy =
    segment(-1.18, -0.72, cloth) +
    segment(0.72, 1.18, mix(cloth, light.shade, 0.16)) +
    segment(-0.72, -0.24, pale) +
    segment(0.24, 0.72, mix(pale, light.shade, 0.12)) +
    segment(-0.24, 0.24, cloth);
  return shade + line(`M${at(0, 0)}V${num(y - 2.2 * h)}`, 0.035) + chair(-1) + table + chair(1) + canopy;
}
