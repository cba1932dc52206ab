/** A folded surface of triangles, lit from one corner. */
import { mix } from '../colour/mix';
import { createNoise } from '../random/noise';
import type { Stage } from '../stage';
import { element } from '../svg/element';
import { type Point, polygon } from '../svg/path';
import type { Swatch } from './swatch';

/** Draws the form. */
export function drawFacets(stage: Stage, { colours, spot }: Swatch): string {
  const { frame, look } = stage;
  const random = stage.random.fork('facets');
  const across = Math.min(24, Math.max(4, Math.round(frame.width / (0.13 * frame.unit))));
  const down = Math.min(24, Math.max(4, Math.round(frame.height / (0.13 * frame.unit))));
  const stepX = frame.width / across;
  const stepY = frame.height / down;
  const noiseX = createNoise(random.fork('x'));
  const noiseY = createNoise(random.fork('y'));
  const points: Point[][] = [];
  for (let row = -1; row <= down + 1; row += 1) {
    points.push(
      Array.from({ length: across + 3 }, (_, column) => ({
        x: (column - 1 + random.between(-0.34, 0.34) + (row % 2 === 0 ? 0.25 : -0.25)) * stepX,
        y: (row + random.between(-0.34, 0.34)) * stepY,
      })),
    );
  }
  const shade = (a: Point, b: Point, c: Point): string => {
    const x = (a.x + b.x + c.x) / 3 / frame.unit;
    const y = (a.y + b.y + c.y) / 3 / frame.unit;
    const broad = 0.5 + 0.42 * noiseX(x * 1.7 + 4) + 0.42 * noiseY(y * 1.7 + x * 0.8);
    const t = Math.min(0.999, Math.max(0, broad + random.between(-0.09, 0.09))) * (colours.length - 1);
    const low = colours[Math.floor(t)] ?? spot;
    const colour = mix(low, colours[Math.floor(t) + 1] ?? low, t % 1);
    return random.chance(0.035) ? mix(colour, spot, 0.5) : colour;
  };
  const edge = look.edge(stage, 0.5);
  let marks = '';
  const facet = (a: Point | undefined, b: Point | undefined, c: Point | undefined): void => {
    if (!a || !b || !c) return;
    const fill = shade(a, b, c);
    // Without a seam in its own colour, a facet would let the ground shine through at its edges.
    const seam = look.name === 'illustration' ? edge : { stroke: fill, 'stroke-width': 0.8 };
    marks += element('path', { d: polygon([a, b, c]), fill, ...seam });
  };
  for (let row = 0; row < points.length - 1; row += 1) {
    for (let column = 0; column < across + 2; column += 1) {
      const a = points[row]?.[column];
      const b = points[row]?.[column + 1];
      const c = points[row + 1]?.[column];
      const d = points[row + 1]?.[column + 1];
      facet(a, b, c);
      facet(b, d, c);
    }
  }
  return marks;
}
