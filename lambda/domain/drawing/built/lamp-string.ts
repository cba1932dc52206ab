/** A string of small lamps across a street. */
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import { ellipse } from '../svg/path';

/** Draws the string from edge to edge; `span` is the distance between two hooks. */
export function drawLampString(
  stage: Stage,
  { y, sag, span }: { y: number; sag: number; span: number },
): string {
  const { frame, light, canvas } = stage;
  const arcs = Math.min(10, Math.ceil(frame.width / span) + 1);
  const start = frame.centre - (arcs * span) / 2;
  const size = frame.unit * 0.0065;
  let wire = `M${num(start)} ${num(y)}`;
  let bulbs = '';
  let glows = '';
  for (let arc = 0; arc < arcs; arc += 1) {
    const from = start + arc * span;
    wire += `Q${num(from + span / 2)} ${num(y + 2 * sag)} ${num(from + span)} ${num(y)}`;
    for (let lamp = 0; lamp < 7; lamp += 1) {
      const t = (lamp + 0.5) / 7;
      const lampX = from + span * t;
      const lampY = y + 4 * sag * t * (1 - t) + size * 1.2;
      bulbs += ellipse(lampX, lampY, size, size * 1.2);
      if (light.night) {
        const fill = canvas.radial(lampX, lampY, size * 6, [
          [0, light.accent, 0.6],
          [1, light.accent, 0],
        ]);
        glows += element('circle', { cx: lampX, cy: lampY, r: size * 6, fill });
      }
    }
  }
  return (
    element('path', {
      d: wire,
      fill: 'none',
      stroke: light.shade,
      'stroke-width': frame.unit * 0.0016,
      'stroke-opacity': 0.7,
    }) +
    glows +
    element('path', { d: bulbs, fill: mix(light.accent, '#ffffff', light.night ? 0.55 : 0.3) })
  );
}
