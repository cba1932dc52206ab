/** Abstract compositions on a lattice of squares: arcs and facets. */
import { mix } from './colour';
import { cover, type Frame } from './frame';
import { createNoise, type Random } from './random';
import { box, type Point, polygon } from './shapes';
import type { Stage } from './stage';
import { circle, group, path, shape } from './svg';
import { type Swatch, shadeOf } from './swatch';

/** The side of a square that is `share` of a unit; larger in banners and columns, so that the SVG's size stays bounded. */
const sideOf = ({ width, height, unit }: Frame, share: number): number =>
  share * unit * Math.sqrt(Math.max(1, Math.max(width, height) / unit / 3));

/**
 * A lattice of squares counted from the centre, so that another ratio adds or removes squares at the borders only; it
 * reaches beyond every border by `beyond` squares.
 */
function squares({ frame, random }: Stage, side: number, beyond: number) {
  const [across, down] = [frame.width, frame.height].map((length) => Math.ceil(length / 2 / side + beyond));
  if (!across || !down) return [];
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
  const tiles = squares(stage, size, 0).map(({ x, y, random }) => {
    const ground = random.pick([back, back, colours[4], colours[3], colours[1]]);
    const kind = random.next();
    const turn = random.whole(0, 3) * 90;
    const first = random.whole(0, inks.length - 1);
    const rings = (shares: readonly number[], ring: (r: number) => string): string =>
      shares.map((share, at) => shape(ring(share * size), inks[(first + at) % inks.length] ?? spot)).join('');
    const quarter = (r: number): string => path`M0 0H${r}A${r} ${r} 0 0 1 0 ${r}Z`;
    const half = (r: number): string => path`M0 ${size / 2 - r}a${r} ${r} 0 0 1 0 ${2 * r}z`;
    const disc = circle(size / 2, size / 2, size * 0.3, inks[first] ?? spot);
    const quarters = kind < 0.46 ? rings([1, 0.74, 0.48, 0.24], quarter) : '';
    const tile = quarters || (kind < 0.72 ? rings([0.5, 0.34, 0.17], half) : kind < 0.86 ? disc : '');
    const turned = group({ transform: path`rotate(${turn} ${size / 2} ${size / 2})` }, tile);
    const plain = shape(box(-0.4, -0.4, size + 0.8, size + 0.8), ground);
    return group({ transform: path`translate(${x} ${y})` }, plain + (tile && turned));
  });
  const shade = mix(colours[0], '#000000', 0.4);
  const corner = style.name === 'illustration' ? 0 : 0.28;
  const gloss = [0, '#ffffff', dark ? 0.04 : 0.22] as const;
  const light = defs.linear(0, 0, frame.width, frame.height, gloss, [0.6, shade, 0], [1, shade, corner]);
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
  const facet = (corners: readonly [Point, Point, Point], own: Random): string => {
    const at = (axis: 'x' | 'y', middle: number): number =>
      (corners.reduce((sum, point) => sum + point[axis], 0) / 3 - middle) / frame.unit;
    const [x, y] = [at('x', frame.centre), at('y', frame.height / 2)];
    const broad = 0.5 + 0.42 * noiseX(x * 1.7 + 4) + 0.42 * noiseY(y * 1.7 + x * 0.8);
    const colour = shadeOf(colours, broad + own.between(-0.09, 0.09));
    const fill = own.chance(0.035) ? mix(colour, spot, 0.5) : colour;
    // Without a seam in its own colour, a facet would let the ground shine through at its edges.
    const seam =
      style.name === 'illustration' ? style.edge(stage, 0.5) : { stroke: fill, 'stroke-width': 0.8 };
    return shape(polygon(corners), fill, seam);
  };
  // One square more on every side, as corners are moved inwards too.
  const pairs = squares(stage, size, 1).map(({ row, column, random: own }) => {
    const [a, b] = [corner(row, column), corner(row, column + 1)];
    const [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
    return facet([a, b, c], own) + facet([b, d, c], own);
  });
  return pairs.join('');
}
