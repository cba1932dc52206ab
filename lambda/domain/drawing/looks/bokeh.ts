/** Light out of focus close to the lens: a few faint discs towards the lower corners. */
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element } from '../svg/element';

/** Draws the discs. */
export function drawBokeh(stage: Stage): string {
  const { frame, light, canvas, motifs } = stage;
  const subject = motifs[0];
  // Out there, and in pictures without a place, nothing is close to the lens.
  if (subject === undefined || subject === 'space') return '';
  const random = stage.random.fork('bokeh');
  const side = random.chance(0.5) ? 0 : 1;
  const colour = mix(light.glow, light.night ? light.accent : '#ffffff', 0.35);
  return Array.from({ length: 9 }, (_, index) => {
    const inward = random.next() ** 1.6 * 0.42 * frame.width;
    const x = (index % 4 === 0 ? 1 - side : side) === 0 ? inward : frame.width - inward;
    const y = frame.height * (1.02 - random.next() ** 1.4 * 0.34);
    const r = frame.unit * random.between(0.012, 0.042);
    const strength = random.between(0.04, 0.12);
    const fill = canvas.radial(x, y, r, [
      [0, colour, strength * 0.7],
      [0.8, colour, strength],
      [0.92, colour, strength * 0.8],
      [1, colour, 0],
    ]);
    return element('circle', { cx: x, cy: y, r, fill });
  }).join('');
}
