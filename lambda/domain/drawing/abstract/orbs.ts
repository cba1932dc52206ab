/** Spheres of soft light at several depths. */
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import type { Swatch } from './swatch';

/** Draws the form. */
export function drawOrbs(stage: Stage, { colours, spot, back, dark }: Swatch): string {
  const { frame, canvas, look } = stage;
  const random = stage.random.fork('orbs');
  const sizes = [0.34, 0.25, 0.2, 0.14, 0.1, 0.075, 0.05, 0.034, 0.024];
  const turn = random.between(0, 6.28);
  const orbs = sizes.map((size, index) => {
    // The golden angle spreads the spheres without rows or clumps.
    const angle = turn + index * 2.39996;
    const away = 0.08 + 0.4 * Math.sqrt(index / sizes.length);
    return {
      x: frame.centre + Math.cos(angle) * away * frame.width * 0.95,
      y: frame.height / 2 + Math.sin(angle) * away * frame.height * 0.95,
      r: size * frame.unit * random.between(0.85, 1.15),
      colour: index === 3 || index === 6 ? spot : (colours[(index * 2) % colours.length] ?? spot),
    };
  });
  return orbs
    .map(({ x, y, r, colour }) => {
      const flat = look.name === 'illustration';
      const fill = flat
        ? colour
        : canvas.radial(x - r * 0.38, y - r * 0.42, r * 1.55, [
            [0, mix(colour, '#ffffff', dark ? 0.35 : 0.62)],
            [0.4, colour],
            [0.85, mix(colour, colours[0], 0.7)],
            [1, mix(colour, colours[0], 0.9)],
          ]);
      const shadow = canvas.radial(x + r * 0.16, y + r * 0.3, r * 1.3, [
        [0.5, colours[0], dark ? 0.6 : 0.34],
        [1, colours[0], 0],
      ]);
      const glint = flat
        ? element('path', {
            d: `M${(x - r * 0.62).toFixed(1)} ${(y - r * 0.1).toFixed(1)}A${(r * 0.64).toFixed(1)} ${(r * 0.64).toFixed(1)} 0 0 1 ${(x - r * 0.1).toFixed(1)} ${(y - r * 0.62).toFixed(1)}`,
            fill: 'none',
            stroke: mix(colour, back, 0.7),
            'stroke-width': r * 0.08,
            'stroke-linecap': 'round',
          })
        : '';
      return (
        (flat ? '' : element('circle', { cx: x + r * 0.16, cy: y + r * 0.3, r: r * 1.3, fill: shadow })) +
        element('circle', { cx: x, cy: y, r, fill, ...look.edge(stage) }) +
        glint
      );
    })
    .join('');
}
