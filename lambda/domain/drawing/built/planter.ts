/** A box tree or a flowering bush in a pot. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { ellipse } from '../svg/path';
import type { Standing } from './boat';

/** Draws the pot and its plant; y is the ground. */
export function drawPlanter(stage: Stage, random: Random, { x, y, height: h }: Standing): string {
  const { light, look, mood } = stage;
  const edge = look.edge(stage, 0.5);
  const leaf = lit(stage, mix(materialsOf(mood.season).pine, '#5f9150', 0.35), 0);
  const pot = lit(stage, '#b8694a', 0);
  let leaves = '';
  let bright = '';
  let flowers = '';
  for (let index = 0; index < 9; index += 1) {
    const dx = random.between(-0.32, 0.32) * h;
    const dy = -h * random.between(0.45, 0.95);
    const size = h * random.between(0.13, 0.2);
    leaves += ellipse(x + dx, y + dy, size);
    bright += ellipse(x + dx - size * 0.2, y + dy - size * 0.25, size * 0.55);
    if (index % 2 === 0) flowers += ellipse(x + dx + size * 0.3, y + dy - size * 0.2, h * 0.035);
  }
  return (
    element('path', { d: leaves, fill: leaf, ...edge }) +
    element('path', { d: bright, fill: mix(leaf, light.glow, 0.25), 'fill-opacity': 0.7 }) +
    element('path', { d: flowers, fill: lit(stage, '#ef6a7c', 0) }) +
    element('path', {
      d: `M${num(x - h * 0.24)} ${num(y - h * 0.42)}h${num(h * 0.48)}l${num(-h * 0.07)} ${num(h * 0.42)}h${num(-h * 0.34)}z`,
      fill: pot,
      ...edge,
    })
  );
}
