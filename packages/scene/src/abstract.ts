/** Compositions without a subject, whose form follows from the words: ribbons, orbs, arcs, facets. */
import { adjust, mix } from './colour';
import { cover, type Frame } from './frame';
import { hills, landBelow } from './land';
import type { StyleName } from './palettes';
import { createNoise, createRandom, type Random } from './random';
import type { Stage } from './stage';
import { box, circle, fade, group, line, type Point, path, polygon, repeat, shape } from './svg';

/** Draws the motif. */
export function drawAbstract(stage: Stage): string {
  const { frame, defs, style, light } = stage;
  const swatch = swatchFor(createRandom(`swatch/${stage.lightKey}`), style.name, light.night);
  const form = createRandom(`form/${[...stage.words].join(' ')}`).pick(FORMS);
  const [start, end] = [swatch.back, mix(swatch.back, swatch.colours[3], 0.55)];
  return cover(frame, defs.linear(0, 0, frame.width * 0.3, frame.height, start, end)) + form(stage, swatch);
}

/** Broad waves that lie over one another, before a disc of light. */
function drawRibbons(stage: Stage, { colours, spot, dark }: Swatch): string {
  const { frame, defs, style } = stage;
  const random = stage.random.fork('ribbons');
  const slope = random.between(-0.32, 0.32) * Math.min(1, (1.6 * frame.unit) / frame.width);
  const flat = style.name === 'illustration';
  const [x, y] = [frame.width * random.between(0.25, 0.75), frame.height * random.between(0.2, 0.34)];
  const r = frame.unit * random.between(0.08, 0.14);
  const glow = circle(x, y, r * 3, defs.radial(x, y, r * 3, fade(spot, [0, 0.5], [1, 0])));
  const disc = circle(
    x,
    y,
    r,
    defs.vertical(y - r, y + r, mix(spot, '#ffffff', 0.35), spot),
    style.edge(stage),
  );
  const wave = { base: 0, height: frame.rise * 0.68, wavelength: 0.62 * frame.unit };
  const ribbons = repeat(7, (index) => {
    const t = index / 6;
    const base = frame.height * (0.3 + 0.64 * t) + frame.rise * 0.34;
    const bends = hills(random.fork(index), frame, wave);
    const lean = slope * (1 - 0.6 * t);
    const fold = landBelow((at) => base + bends(at) + lean * (at - frame.centre), frame);
    const colour = shadeOf(colours, 1 - t);
    const [upper, lower] = [
      mix(colour, dark ? spot : '#ffffff', dark ? 0.22 : 0.34),
      mix(colour, colours[0], 0.45),
    ];
    const end = fold.top + frame.height * 0.42;
    const fill = defs.linear(0, fold.top, frame.width * 0.05, end, upper, [0.4, colour], lower);
    const rim = line(fold.crest, spot, frame.unit * 0.002, { 'stroke-opacity': 0.4 });
    const ink = line(fold.crest, colours[0], frame.unit * 0.005);
    return shape(fold.path, flat ? colour : fill) + (dark ? rim : flat ? ink : '');
  });
  return glow + disc + ribbons;
}

/** Spheres at several depths, with the radius of each in units. */
const ORBS = [0.34, 0.25, 0.2, 0.14, 0.1, 0.075, 0.05, 0.034, 0.024] as const;

function drawOrbs(stage: Stage, { colours, spot, back, dark }: Swatch): string {
  const { frame, defs, style } = stage;
  const random = stage.random.fork('orbs');
  const turn = random.between(0, 6.28);
  return ORBS.map((size, index) => {
    // The golden angle spreads the spheres without rows or clumps.
    const angle = turn + index * 2.39996;
    const away = 0.076 + 0.38 * Math.sqrt(index / ORBS.length);
    const x = frame.centre + Math.cos(angle) * away * frame.width;
    const y = frame.height / 2 + Math.sin(angle) * away * frame.height;
    const r = size * frame.unit * random.between(0.85, 1.15);
    const colour = index === 3 || index === 6 ? spot : (colours[(index * 2) % colours.length] ?? spot);
    const [shadowX, shadowY] = [x + r * 0.16, y + r * 0.3];
    if (style.name === 'illustration') {
      const bend = path`A${r * 0.64} ${r * 0.64} 0 0 1 ${x - r * 0.1} ${y - r * 0.62}`;
      const glint = path`M${x - r * 0.62} ${y - r * 0.1}${bend}`;
      return circle(x, y, r, colour, style.edge(stage)) + line(glint, mix(colour, back, 0.7), r * 0.08);
    }
    const shadow = defs.radial(shadowX, shadowY, r * 1.3, fade(colours[0], [0.5, dark ? 0.6 : 0.34], [1, 0]));
    const shine = mix(colour, '#ffffff', dark ? 0.35 : 0.62);
    const [dim, rim] = [mix(colour, colours[0], 0.7), mix(colour, colours[0], 0.9)];
    const ball = defs.radial(x - r * 0.38, y - r * 0.42, r * 1.55, [shine, [0.4, colour], [0.85, dim], rim]);
    return circle(shadowX, shadowY, r * 1.3, shadow) + circle(x, y, r, ball);
  }).join('');
}

const FORMS = [drawRibbons, drawOrbs, drawArcs, drawFacets] as const;

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
function drawArcs(stage: Stage, { colours, spot, back, dark }: Swatch): string {
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
function drawFacets(stage: Stage, { colours, spot }: Swatch): string {
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

type Ramp = readonly [string, string, string, string, string];

/** Colours from deep to pale, on a ground, with one contrasting spot. */
interface Swatch {
  readonly back: string;
  readonly colours: Ramp;
  readonly spot: string;
  readonly dark: boolean;
}

type Curated = readonly [ramp: Ramp, spot: string];

const CURATED: readonly [Curated, ...Curated[]] = [
  [['#1f4e6b', '#3f7f9c', '#7fb0bd', '#bcd8d6', '#efe9dc'], '#f08a5d'],
  [['#4a2c5e', '#8a4f82', '#c97b92', '#f0b2a0', '#fbe6d6'], '#f7c25c'],
  [['#1d4d4f', '#3b7f77', '#7ab59c', '#bfdcbb', '#f3f0dd'], '#f2785c'],
  [['#2b2f6b', '#5459a8', '#8f8fd6', '#c9c2ee', '#f4edf7'], '#ffab6b'],
  [['#7a2f3b', '#b8544e', '#e08a68', '#f4bf94', '#fcebd8'], '#3f9a97'],
  [['#23395b', '#406e8e', '#8ea8c3', '#cbd7dc', '#f3f1ea'], '#e8a13c'],
  [['#5b2a4f', '#9c3f6b', '#d9728a', '#f2aeb0', '#fbe4df'], '#5fb3b3'],
  [['#16505c', '#2a8c8c', '#6fc3b2', '#b8e3cf', '#f2f6e4'], '#ff7f6b'],
  [['#5c3a3a', '#a8683c', '#d99a5b', '#efc996', '#faeedb'], '#2f7f8c'],
  [['#123b5d', '#2f6fa8', '#e9a38c', '#f6cfae', '#fbf0df'], '#f2c14e'],
];

/** A swatch as the style wants it: deep and glowing by night, stronger where the style is bold. */
function swatchFor(random: Random, style: StyleName, night: boolean): Swatch {
  const [[deep, second, third, fourth, pale], spot] = random.pick(CURATED);
  const dark = style === 'dark' || (night && style !== 'illustration');
  const tone = (colour: string, t: number): string => {
    if (dark) return mix(adjust(colour, 0.86, 1.15), '#0a0c18', 0.42 + 0.2 * t);
    return style === 'illustration' ? adjust(colour, 1, 1.3) : colour;
  };
  return {
    back: dark ? mix(deep, '#080a14', 0.82) : mix(pale, '#fffaf2', 0.4),
    colours: [tone(deep, 0), tone(second, 0.25), tone(third, 0.5), tone(fourth, 0.75), tone(pale, 1)],
    spot: dark ? adjust(spot, 0.96, 1.1) : spot,
    dark,
  };
}

/** The colour at a share (0 deep, 1 pale) of the ramp. */
function shadeOf(colours: Ramp, share: number): string {
  const position = Math.min(0.999, Math.max(0, share)) * (colours.length - 1);
  const low = colours[Math.floor(position)] ?? colours[0];
  return mix(low, colours[Math.ceil(position)] ?? low, position % 1);
}
