/** Table mountains: flat tops, steep walls, a skirt of scree. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { type Point, polygon } from '../svg/path';

/** Draws a few table mountains and buttes that stand on `base`. */
export function drawMesas(stage: Stage, base: number, rock: string): string {
  const { frame, light, look, canvas } = stage;
  const reach = Math.ceil(frame.width / (0.5 * frame.unit) / 2) + 1;
  let marks = '';
  for (let place = -reach; place <= reach; place += 1) {
    const random = stage.random.fork(`mesa${place}`);
    const distance = random.between(0.5, 0.76);
    const height = frame.rise * random.between(0.3, 0.62);
    const half = frame.unit * (random.chance(0.35) ? random.between(0.02, 0.04) : random.between(0.07, 0.17));
    const x = frame.centre + (place + random.between(-0.3, 0.3)) * 0.34 * frame.unit;
    const skirt = half + height * random.between(0.35, 0.6);
    const wall = base - height * 0.42;
    const side = (direction: number): Point[] => [
      { x: x + direction * half * 0.94, y: base - height },
      { x: x + direction * half, y: base - height * 0.93 },
      { x: x + direction * half * 1.03, y: wall },
      { x: x + direction * (half + (skirt - half) * 0.45), y: base - height * 0.16 },
      { x: x + direction * skirt * 1.1, y: base + 2 },
    ];
    const outline = polygon([...side(-1).reverse(), ...side(1)]);
    const colour = lit(stage, rock, distance);
    const fill = canvas.linear(0, base - height, 0, base, [
      [0, colour],
      [0.45, mix(colour, light.glow, light.night ? 0.04 : 0.12)],
      [1, mix(colour, light.haze, 0.6)],
    ]);
    const bands = [0.8, 0.64]
      .map((level) =>
        polygon([
          { x: x - half, y: base - height * level },
          { x: x + half, y: base - height * level },
          { x: x + half, y: base - height * (level - 0.05) },
          { x: x - half, y: base - height * (level - 0.05) },
        ]),
      )
      .join('');
    const shaded = polygon([
      { x: x + half * 0.3, y: base - height },
      ...side(1),
      { x: x + skirt * 0.4, y: base + 2 },
      { x: x + half * 0.42, y: wall },
    ]);
    marks +=
      element('path', { d: outline, fill, ...look.edge(stage, 0.7) }) +
      element('path', { d: bands, fill: light.shade, 'fill-opacity': 0.1 }) +
      element('path', { d: shaded, fill: light.shade, 'fill-opacity': 0.14 });
  }
  return marks;
}
