/** A few birds far off in the sky. */
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

/** Draws a loose flight of birds above `horizon`; none by night. */
export function drawBirds(stage: Stage, horizon: number): string {
  const { frame, light, look } = stage;
  if (light.night || look.detail < 0.3) return '';
  const random = stage.random.fork('birds');
  const middle = { x: random.between(0.2, 0.8) * frame.width, y: random.between(0.3, 0.62) * horizon };
  let data = '';
  for (let index = random.whole(3, 6); index > 0; index -= 1) {
    const span = frame.unit * random.between(0.007, 0.014);
    const x = middle.x + random.between(-0.11, 0.11) * frame.unit;
    const y = middle.y + random.between(-0.05, 0.05) * frame.unit;
    data += `M${num(x - span)} ${num(y - span * 0.25)}q${num(span * 0.6)} ${num(-span * 0.45)} ${num(span)} ${num(span * 0.3)}q${num(span * 0.4)} ${num(-span * 0.75)} ${num(span)} ${num(-span * 0.3)}`;
  }
  return element('path', {
    d: data,
    fill: 'none',
    stroke: light.shade,
    'stroke-width': 0.0022 * frame.unit,
    'stroke-opacity': 0.6,
    'stroke-linecap': 'round',
  });
}
