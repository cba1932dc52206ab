/** Trees with leaves: round crowns in the colours of the season. */
import { lit } from '../colour/lit';
import { materialsOf } from '../colour/materials';
import { mix } from '../colour/mix';
import type { Random } from '../random/random';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { ellipse } from '../svg/path';

interface Crown {
  readonly body: string;
  readonly light: string;
}

/** A crown of overlapping rounds, and the part of it that the light reaches. */
function crown(random: Random, x: number, y: number, radius: number): Crown {
  let body = ellipse(x, y, radius * 0.92, radius * 0.86);
  let light = '';
  for (let index = 0; index < 5; index += 1) {
    const angle = (index / 5) * 2 * Math.PI + random.between(-0.3, 0.3);
    const size = radius * random.between(0.42, 0.62);
    const dx = Math.cos(angle) * radius * 0.66;
    const dy = Math.sin(angle) * radius * 0.56;
    body += ellipse(x + dx, y + dy, size, size * 0.92);
    if (dy < radius * 0.1)
      light += ellipse(x + dx * 0.8 - size * 0.12, y + dy * 0.9 - size * 0.2, size * 0.66, size * 0.56);
  }
  return { body, light };
}

/** Draws one tree; y is its foot. */
export function drawTree(
  stage: Stage,
  random: Random,
  { x, y, height, distance }: { x: number; y: number; height: number; distance: number },
): string {
  const { light, look, mood } = stage;
  const materials = materialsOf(mood.season);
  const radius = height * random.between(0.3, 0.36);
  const { body, light: lights } = crown(random, x, y - height + radius, radius);
  const colour = lit(stage, random.pick(materials.leaves), distance);
  const trunk = `M${num(x - height * 0.035)} ${num(y)}L${num(x - height * 0.018)} ${num(y - height * 0.6)}L${num(x + height * 0.018)} ${num(y - height * 0.6)}L${num(x + height * 0.035)} ${num(y)}Z`;
  const edge = look.edge(stage, 0.6);
  return (
    element('path', { d: trunk, fill: lit(stage, materials.bark, distance), ...edge }) +
    (look.name !== 'illustration' ? '' : element('path', { d: body, ...edge })) +
    element('path', { d: body, fill: colour }) +
    element('path', {
      d: lights,
      fill: mix(colour, light.glow, light.night ? 0.2 : 0.28),
      'fill-opacity': 0.8,
    })
  );
}
