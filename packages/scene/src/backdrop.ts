/** What stands at the far end of a scene: mountain ranges or wooded hills, as the words ask. */
import { mix } from './colour';
import { drawGround, drawLand, drawWoods } from './land';
import type { Random } from './random';
import { along, edgeOf, lit, type Scene } from './scene';
import { drawMist } from './sky';
import { box, fade, line, type Point, path, polygon, repeat, shape } from './svg';

/** The kinds of far end. */
export type Backdrop = 'mountains' | 'forest' | 'hills';

/** Draws the far end, if any, so that it stands on `base`; `scale` 1 is as high as mountains may rise. */
export function drawBackdrop(
  scene: Scene,
  kind: Backdrop | undefined,
  base: number,
  sunX: number,
  scale = 1,
) {
  const { frame, materials } = scene;
  /** One row of far hills, with firs on it where it is `wooded`. */
  const row = (label: string, height: number, distance: number, wooded: boolean): string => {
    const colour = mix(materials.farGrass, materials.pine, wooded ? 0.7 : 0.3);
    const hill = { label: `end-${label}`, base, height: height * scale, wave: 0.46, octaves: 3 };
    const land = { ...hill, colour, distance, mist: 0.7, bottom: base + frame.unit * 0.03 };
    return (wooded ? drawWoods(scene, { ...land, density: 1.5 }) : drawGround(scene, land)).marks;
  };
  const mist = (thickness: number, opacity: number): string =>
    drawMist(scene, base, frame.rise * scale * thickness, opacity);
  if (kind === 'mountains')
    return drawRanges(scene, base, sunX, scale) + row('shore', 0.16, 0.52, true) + mist(0.12, 0.35);
  if (kind === undefined) return '';
  const wooded = kind === 'forest';
  const rows = row('back', 0.66, 0.84, wooded) + row('middle', 0.44, 0.63, wooded);
  return rows + mist(0.25, 0.45) + row('shore', 0.2, wooded ? 0.36 : 0.46, true);
}

/** A range: `spacing` is the mean distance between summits, `snow` how much of them is white, 0 to 1. */
type Range = Record<'base' | 'height' | 'spacing' | 'distance' | 'snow', number> &
  Record<'label' | 'colour', string>;

/** Draws the two ranges at the horizon of a scene with mountains; `scale` 1 lets them fill the sky. */
function drawRanges(scene: Scene, base: number, sunX: number, scale = 1): string {
  const { frame, materials, light } = scene;
  const random = scene.random.fork('ranges');
  const snow = scene.reading.place === 'winter' ? 1 : random.between(0.25, 0.7);
  const rise = frame.rise * scale;
  const spacing = frame.unit * random.between(0.3, 0.42) * Math.sqrt(scale);
  const far = { height: rise * 0.82, spacing: spacing * 0.72, distance: 0.86, snow: snow * 0.7 };
  const high = { height: rise * random.between(1, 1.14), spacing, distance: 0.5, snow };
  const colour = mix(materials.rock, light.sky[0], 0.3);
  return (
    drawRange(scene, { label: 'far', base, colour, ...far }, sunX) +
    drawMist(scene, base - rise * 0.08, rise * 0.3, 0.5) +
    drawRange(scene, { label: 'high', base, colour: materials.rock, ...high }, sunX) +
    drawMist(scene, base, rise * 0.28, 0.6)
  );
}

/** Draws a range, the taller peaks behind: each has the face away from the sun in the shade, and snow above a ragged line. */
function drawRange(scene: Scene, range: Range, sunX: number): string {
  const { frame, light, defs } = scene;
  const { base, height, spacing, distance, snow, colour } = range;
  const random = scene.random.fork(range.label);
  const tallest = random.whole(-1, 1);
  const white = lit(scene, mix('#f8fbff', light.glow, 0.25), distance * 0.55);
  const dark = lit(scene, mix(colour, light.shade, 0.75), distance);
  const shade = defs.vertical(base - height, base, ...fade(dark, [0, 0.75], [0.55, 0.45], [1, 0]));
  const line = base - height * (0.66 - 0.4 * snow);
  const peaks = along(frame, random, spacing, 0.3, 2 * spacing).map(({ index, x, random: own }) => {
    const tall = height * (index === tallest ? 1 : own.between(0.42, 0.86));
    /** The ragged line from the summit down to the foot, which lies beside it by `breadth`. */
    const edge = (breadth: number): Point[] =>
      Array.from({ length: 15 }, (_, step) => {
        const rough = step === 0 ? 0 : (step % 2 === 0 ? -1 : 1) * own.between(0.2, 1) * 0.014 * spacing;
        return { x: x + breadth * (step / 14) ** 1.15 + rough, y: base - tall * (1 - step / 14) };
      });
    const half = (0.55 + (0.5 * tall) / height) * spacing;
    const [left, right] = [edge(-half * own.between(0.8, 1.15)), edge(half * own.between(0.8, 1.15))];
    const path = polygon([...left.toReversed(), ...right]);
    const face = polygon([...(sunX > x ? left : right), ...edge(0).reverse()]);
    const above = ({ y }: Point): boolean => y < line;
    const [from, to] = [left.filter(above), right.filter(above)];
    const width = (to.at(-1)?.x ?? x) - (from.at(-1)?.x ?? x);
    const teeth = Array.from({ length: 7 }, (_, tooth) => ({
      x: (to.at(-1)?.x ?? x) - (width * (tooth + 1)) / 8,
      y: line + (tooth % 2 === 0 ? 1 : -1) * own.between(0.1, 0.28) * Math.min(width, 0.2 * height),
    }));
    const cap = from.length > 1 ? polygon([...from.reverse(), ...to, ...teeth]) : '';
    const land = { path, crest: path, top: base - tall, bottom: base, colour, distance };
    const marks = drawLand(scene, land) + shape(cap, white, { 'fill-opacity': 0.94 }) + shape(face, shade);
    return { tall, marks };
  });
  return peaks
    .sort((one, other) => other.tall - one.tall)
    .map(({ marks }) => marks)
    .join('');
}

/**
 * One row of buildings that stand on `base`: the height of the tallest, the mean breadth in units, the share of
 * windows that are drawn, 0 to 1.
 */
type TowerRow = Readonly<Record<'base' | 'height' | 'breadth' | 'distance' | 'windows', number>> & {
  readonly label: string;
};

type Wall = Record<'x' | 'top' | 'width' | 'base', number>;

/** Steps, a mast on them, a slope, or nothing. */
function roof(random: Random, { x, top, width }: Wall): string {
  const kind = random.next();
  const step = width * 0.16;
  const steps = box(x + step, top - step, width - 2 * step, step + 1);
  if (kind < 0.2) return steps + box(x + width * 0.48, top - step - width * 0.7, width * 0.04, width * 0.7);
  if (kind < 0.34) return path`M${x} ${top + 0.5}h${width}v${-width * 0.4}Z`;
  return kind < 0.7 ? steps : '';
}

/** Windows as upright dashes: a stroke says in half the bytes what a rectangle would. */
function panes(random: Random, { x, top, width, base }: Wall, size: number, share: number): string {
  const columns = Math.max(2, Math.round(width / (size * 2.5)));
  const rows = Math.min(24, Math.floor((base - top) / (size * 2.9)));
  return repeat(rows * columns, (index) => {
    if (random.next() > share) return '';
    const left = x + (width / columns) * ((index % columns) + 0.5);
    return path`M${left} ${top + size * (1.6 + Math.floor(index / columns) * 2.9)}v${size * 1.5}`;
  });
}

/** Draws a row: buildings, their shaded sides, their windows. */
export function drawTowers(scene: Scene, row: TowerRow): string {
  const { frame, light, style, defs, time } = scene;
  const { base, distance } = row;
  const breadth = row.breadth * frame.unit;
  const pane = Math.max(breadth * 0.07, 2.2);
  // In a panorama windows are rarer, so that the size of the SVG stays bounded.
  const share = row.windows / Math.max(1, frame.breadth / 2);
  let [walls, sides, windows] = ['', '', ''];
  for (const { x, random } of along(frame, scene.random.fork(row.label), breadth, 0.12)) {
    const width = breadth * random.between(0.62, 1.22);
    // The skyline swells towards the middle, as business districts do.
    const swell = 0.5 + 0.5 * Math.exp(-(((x - frame.centre) / (0.42 * frame.unit)) ** 2));
    const height = row.height * swell * random.between(0.38, 1);
    const wall = { x, top: base - height, width, base };
    walls += box(x, wall.top, width, height + 2) + roof(random, wall);
    sides += box(x + width * 0.64, wall.top, width * 0.36, height + 2);
    windows += panes(random.fork('panes'), wall, pane, share * random.between(0.3, 1));
  }
  const colour = lit(scene, light.night ? '#3b4a66' : '#7d8aa3', distance);
  const upper = mix(colour, light.shade, light.night ? 0.25 : 0.08);
  const air = defs.vertical(base - row.height, base, upper, mix(colour, light.haze, 0.5));
  const glass = light.night || time === 'sunset' ? light.accent : mix(light.sky[3], '#ffffff', 0.4);
  const shine = (light.night ? 0.85 : 0.42) * (1 - 0.5 * distance);
  return (
    shape(walls, style.flat ? colour : air, edgeOf(scene, 0.6)) +
    shape(sides, light.shade, { 'fill-opacity': 0.16 }) +
    line(windows, glass, pane, { 'stroke-linecap': undefined, 'stroke-opacity': shine })
  );
}
