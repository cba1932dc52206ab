/** Abstract compositions on a lattice of squares: arcs and facets. */
import { mix } from './colour';
import { cover, type Frame } from './frame';
import { createNoise, type Random } from './random';
import { box, type Point, polygon } from './shapes';
import type { Stage } from './stage';
import { circle, group, path, shape } from './svg';
import { type Swatch, shadeOf } from './swatch';

/** The side of a square that is `share` of a unit; larger in banners and columns, so that the size of the SVG stays bounded. */
const sideOf = ({ width, height, unit }: Frame, share: number): number =>
  share * unit * Math.sqrt(Math.max(1, Math.max(width, height) / unit / 3));

/** A lattice of squares counted from the centre, so that another ratio adds or removes squares at the borders only. */
function squares(
  stage: Stage,
  side: number,
): { x: number; y: number; random: Random; row: number; column: number }[] {
  const { frame, random } = stage;
  const [across, down] = [Math.ceil(frame.width / 2 / side), Math.ceil(frame.height / 2 / side)];
  return Array.from({ length: 4 * across * down }, (_, index) => {
    const [column, row] = [(index % (2 * across)) - across, Math.floor(index / (2 * across)) - down];
    const [x, y] = [frame.centre + column * side, frame.height / 2 + row * side];
    return { x, y, row, column, random: random.fork(`square${row}/${column}`) };
  });
}

/** Rainbows of nested quarter rings, half rings and discs, tiled like a quilt with plain squares in between. */
export function drawArcs(stage: Stage, { colours, spot, back, dark }: Swatch): string {
  const { frame, style, defs } = stage;
  const size = sideOf(frame, 0.31);
  const inks = [...colours, spot];
  const tiles = squares(stage, size).map(({ x, y, random }) => {
    const ground = random.pick([back, back, colours[4], colours[3], colours[1]]);
    const kind = random.next();
    const turn = random.whole(0, 3) * 90;
    const first = random.whole(0, inks.length - 1);
    const ring = (data: string, index: number): string =>
      shape(data, inks[(first + index) % inks.length] ?? spot);
    const quarters = [1, 0.74, 0.48, 0.24].map((reach, index) => {
      const r = reach * size;
      return ring(path`M0 0H${r}A${r} ${r} 0 0 1 0 ${r}Z`, index);
    });
    const halves = [0.5, 0.34, 0.17].map((reach, index) => {
      const r = reach * size;
      return ring(path`M0 ${size / 2 - r}a${r} ${r} 0 0 1 0 ${2 * r}z`, index);
    });
    const disc = circle(size / 2, size / 2, size * 0.3, inks[first] ?? spot);
    const tile = kind < 0.46 ? quarters.join('') : kind < 0.72 ? halves.join('') : kind < 0.86 ? disc : '';
    return group(
      { transform: path`translate(${x} ${y})` },
      shape(box(-0.4, -0.4, size + 0.8, size + 0.8), ground) +
        (tile && group({ transform: path`rotate(${turn} ${size / 2} ${size / 2})` }, tile)),
    );
  });
  const shade = mix(colours[0], '#000000', 0.4);
  const light = defs.linear(0, 0, frame.width, frame.height, [
    [0, '#ffffff', dark ? 0.04 : 0.22],
    [0.6, shade, 0],
    [1, shade, style.name === 'illustration' ? 0 : 0.28],
  ]);
  return tiles.join('') + cover(frame, light);
}

/** A folded surface of triangles, lit from one corner. */
export function drawFacets(stage: Stage, { colours, spot }: Swatch): string {
  const { frame, style, random: source } = stage;
  const size = sideOf(frame, 0.125);
  const random = source.fork('facets');
  const [noiseX, noiseY] = [createNoise(random.fork('x')), createNoise(random.fork('y'))];
  /** The corner of the lattice at a row and column, moved a little. */
  const corner = (row: number, column: number): Point => {
    const own = random.fork(`corner${row}/${column}`);
    return {
      x: frame.centre + (column + own.between(-0.34, 0.34) + (row % 2 === 0 ? 0.25 : -0.25)) * size,
      y: frame.height / 2 + (row + own.between(-0.34, 0.34)) * size,
    };
  };
  const edge = style.edge(stage, 0.5);
  const facet = (corners: readonly [Point, Point, Point], own: Random): string => {
    const at = (axis: 'x' | 'y', middle: number): number =>
      (corners.reduce((sum, point) => sum + point[axis], 0) / 3 - middle) / frame.unit;
    const [x, y] = [at('x', frame.centre), at('y', frame.height / 2)];
    const broad = 0.5 + 0.42 * noiseX(x * 1.7 + 4) + 0.42 * noiseY(y * 1.7 + x * 0.8);
    const colour = shadeOf(colours, broad + own.between(-0.09, 0.09));
    const fill = own.chance(0.035) ? mix(colour, spot, 0.5) : colour;
    // Without a seam in its own colour, a facet would let the ground shine through at its edges.
    const seam = style.name === 'illustration' ? edge : { stroke: fill, 'stroke-width': 0.8 };
    return shape(polygon(corners), fill, seam);
  };
  // One square more on every side, as corners are moved inwards too.
  const wider = {
    ...stage,
    frame: {
      ...frame,
      width: frame.width + 2 * size,
      height: frame.height + 2 * size,
      centre: frame.centre + size,
    },
  };
  return squares(wider, size)
    .map(({ row, column, random: own }) => {
      const [a, b] = [corner(row, column), corner(row, column + 1)];
      const [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
      return facet([a, b, c], own) + facet([b, d, c], own);
    })
    .join('');
}
